/**
 * @module The requests that tools send through the app: no header says so, since any client could send it.
 */
const ofTools = new WeakSet<Request>();

/** Marks a request. */
export function ofTool(request: Request): Request {
  ofTools.add(request);
  return request;
}

export const isOfTool = (request: Request): boolean => ofTools.has(request);
