/**
 * @module The binding of Cloudflare Images, with a record of its arguments, which the local stand-in ignores.
 */

interface Transformation {
  readonly transform: ImageTransform;
  readonly output: ImageOutputOptions;
}

/** @param make returns the bytes of a picture */
export function recordedImages(make: (transformation: Transformation) => Promise<Uint8Array> | Uint8Array) {
  const calls: Transformation[] = [];
  const binding = {
    input: (stream: ReadableStream) => ({
      transform: (transform: ImageTransform) => ({
        async output(output: ImageOutputOptions) {
          await new Response(stream).arrayBuffer();
          calls.push({ transform, output });
          const bytes = await make({ transform, output });
          return { response: () => new Response(bytes as BodyInit) };
        },
      }),
    }),
  };
  return { calls, binding: binding as unknown as ImagesBinding };
}
