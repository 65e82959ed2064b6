/**
 * @module What is known of a document besides its attributes.
 */
import { Link } from 'react-router';
import { address } from '../api/query-string.ts';
import { editedStatus } from '../model/model.ts';
import { useModel } from '../shell/model.ts';
import { timeText } from '../ui/texts.ts';
import { SCHEDULED, Scheduled } from './schedule.tsx';
import { type Place, pathOf, type Version } from './version.ts';

interface FactsProps {
  readonly place: Place;
  readonly version: Version | null;
  readonly published: Version | null;
}

const Fact = ({ label, value }: { readonly label: string; readonly value: string | undefined }) => (
  <div>
    <dt className="muted small">{label}</dt>
    <dd>{value || '–'}</dd>
  </div>
);

export function DocumentFacts({ place, version, published }: FactsProps) {
  const mayList = useModel().may('get', SCHEDULED);
  if (!version) return null;
  const { document } = version;
  const { locale, type } = place;
  const request = address(pathOf(place), {
    ...(locale && { locale }),
    ...(type.hasDrafts && { status: editedStatus(type) }),
    populate: '*',
  });
  return (
    <aside className="document-facts card padded stack" aria-label="About this document">
      <dl className="plain">
        <Fact label="documentId" value={document.documentId} />
        <Fact label="Created" value={timeText(document.createdAt)} />
        <Fact label="Updated" value={timeText(document.updatedAt)} />
        {type.hasDrafts && <Fact label="Published" value={timeText(published?.document.publishedAt)} />}
      </dl>
      {mayList && <Scheduled place={place} />}
      <Link to={`/explorer?request=${encodeURIComponent(request)}`}>Open in the explorer</Link>
    </aside>
  );
}
