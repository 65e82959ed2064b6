/**
 * @module Reads that tell most of what reading is.
 */

/** File name → the read; `<name>` stands for the documentId of a document. */
export const READS: Readonly<Record<string, string>> = {
  'fields-and-sort': 'articles?fields=title,price&sort=price:desc',
  'groups-of-filters': 'articles?filters[$or][0][title][$startsWith]=fir&filters[$or][1][price][$gt]=1&fields=title',
  'offset-without-count': 'articles?fields=title&pagination[start]=1&pagination[limit]=1&pagination[withCount]=false',
  'search-in-drafts': 'articles?_q=second&fields=title&status=draft',
  'modified-documents': 'articles?publicationFilter=modified&fields=title',
  'one-document': 'articles/<first>?fields=title',
  'one-document-in-french': 'articles/<first>?fields=title&locale=fr',
  'every-locale-with-the-others': 'articles?locale=*&fields=title&populate[localizations][fields]=title',
  'to-one-and-to-many': 'articles?fields=title&populate[author][fields]=name&populate[tags][fields]=name',
  'to-many-filtered-and-sorted':
    'authors?fields=name&populate[articles][filters][price][$gt]=0&populate[articles][sort]=price:desc&populate[articles][fields]=title',
  'slices-of-lists':
    'articles?fields=title&populate[tags][limit]=2&populate[tags][fields]=name&populate[comments][limit]=1&populate[comments][start]=1&populate[comments][sort]=text:desc&populate[comments][filters][score][$null]=true&populate[comments][fields]=text',
  'counts-beside-lists':
    'articles?fields=title&populate[tags][limit]=0&populate[tags][withCount]=true&populate[sections][on][blocks.callout][populate][articles][withCount]=true&populate[sections][on][blocks.callout][populate][articles][fields]=title',
  counts: 'articles?fields=title&populate[related][count]=true&populate[seo][count]=true',
  media: 'articles?fields=title&populate[cover][fields]=url&populate[gallery][fields]=url',
  'three-levels-deep':
    'comments?fields=text&populate[article][fields]=title&populate[article][populate][author][fields]=name&populate[article][populate][author][populate][avatar][fields]=url',
  'components-in-components':
    'articles?fields=title&populate[seo][fields]=metaTitle&populate[seo][populate][card][populate][person][fields]=name',
  'zone-by-component':
    'articles/<second>?fields=title&populate[sections][on][blocks.callout][populate][articles][fields]=title&populate[sections][on][blocks.quote]=true',
  'locales-of-a-source-without': 'issues?fields=title&populate[picks][fields]=title,locale',
  'filter-behind-a-relation': 'articles?fields=title&filters[author][name]=Author',
  'filter-from-the-other-side': 'tags?fields=name&filters[articles][title]=First',
  'filter-and-sort-in-components': 'articles?fields=title&filters[facts][value][$gte]=1&sort=seo.metaTitle',
  'single-type-in-the-older-format':
    'homepage?fields=heading&populate[featuredArticles][fields]=title&populate[hero][fields]=url',
};
