import { createWorker } from 'edgewise';
import { registry, settings } from '../.edgewise/project.ts';

// Code of your own; node_modules/edgewise/docs/extending.md has more. Names of attributes are types: `npm run check` rejects others.
export default createWorker(registry, settings, {
  // routes: (app) =>
  //   app.get('/hello/:documentId', async (c) => {
  //     const documents = c.var.documents('{{uid}}');
  //     const { data } = await documents.findOne(c.req.param('documentId'), { fields: ['{{attribute}}'] });
  //     return c.text(`Hello from ${data.{{attribute}}}`);
  //   }),
  // beforeWrite: {
  //   '{{uid}}': (data) => ({
  //     ...data,
  //     ...(typeof data.{{attribute}} === 'string' && { {{attribute}}: data.{{attribute}}.trim() }),
  //   }),
  // },
});
