/**
 * @module The part of autocannon that the benchmark uses; the package has no types of its own.
 */
declare module 'autocannon' {
  interface RequestOptions {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    /** Called before each sending; the answer is what is sent. */
    readonly setupRequest?: (request: RequestOptions) => RequestOptions;
  }

  interface Options {
    readonly url: string;
    readonly connections: number;
    /** Seconds. */
    readonly duration: number;
    readonly requests: readonly RequestOptions[];
  }

  interface Result {
    readonly duration: number;
    readonly errors: number;
    readonly timeouts: number;
    readonly non2xx: number;
    readonly '3xx': number;
  }

  interface Instance extends Promise<Result> {
    on(
      event: 'response',
      listener: (client: unknown, status: number, bytes: number, milliseconds: number) => void,
    ): this;
    stop(): void;
  }

  export default function autocannon(options: Options): Instance;
}
