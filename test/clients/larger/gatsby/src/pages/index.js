import { graphql } from 'gatsby';

/** Every article with what it is linked to, and categories in another locale. */
export default function Index({ data: { allStrapiArticle: articles, allStrapiCategory: categories } }) {
  return (
    <main>
      {articles.nodes.map(({ id, title, slug, author, cover }) => (
        <article key={id}>
          <h2 id={slug}>{title}</h2>
          <p>{author?.name}</p>
          <p>{cover?.localFile?.prettySize}</p>
        </article>
      ))}
      <ul>
        {categories.nodes.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
    </main>
  );
}

export const query = graphql`
  query Index {
    allStrapiArticle { nodes { id title slug author { name } cover { localFile { prettySize } } } }
    allStrapiCategory { nodes { id name locale } }
  }
`;
