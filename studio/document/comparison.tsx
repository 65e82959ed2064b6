/**
 * @module The draft and the published version side by side, and their difference.
 */
import { labelOf } from '../model/attribute.ts';
import type { ContentType, Document } from '../model/model.ts';
import { shownAttributes } from '../model/read-model.ts';
import { useModel } from '../shell/model-context.ts';
import { Empty } from '../ui/states.tsx';
import { Difference } from './difference.tsx';
import { textOf } from './text-of.ts';

interface ComparisonProps {
  readonly type: ContentType;
  readonly draft: Document;
  readonly published: Document;
}

export function Comparison({ type, draft, published }: ComparisonProps) {
  const model = useModel();
  const rows = shownAttributes(type)
    .map(([name, attribute]) => {
      const [before, after] = [published, draft].map((version) => textOf(model, attribute, version[name]));
      return { name, before: before ?? '', after: after ?? '' };
    })
    .filter(({ before, after }) => before !== after);
  if (rows.length === 0) return <Empty title="The draft and the published version are the same." />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section className="table-frame" tabIndex={0} aria-label="Comparison">
      <table className="comparison">
        <thead>
          <tr>
            <th>Attribute</th>
            <th>Published</th>
            <th>Draft</th>
            <th>Difference</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, before, after }) => (
            <tr key={name}>
              <th scope="row">{labelOf(name)}</th>
              <td>
                <pre>{before}</pre>
              </td>
              <td>
                <pre>{after}</pre>
              </td>
              <td>
                <Difference before={before} after={after} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
