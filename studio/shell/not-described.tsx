/**
 * @module A server without the description that Studio reads.
 */
import { textWith } from '../texts/text.ts';

export const NotDescribed = () => (
  <p role="alert">
    {textWith('This server does not describe itself: Studio needs {path}, which the setting {setting} removes.', {
      path: <code>/openapi.json</code>,
      setting: <code>server.openapi: false</code>,
    })}
  </p>
);
