const { EDGEWISE_URL: apiURL, EDGEWISE_TOKEN: accessToken } = process.env;

module.exports = {
  jsxRuntime: 'automatic',
  plugins: [
    {
      resolve: 'gatsby-source-strapi',
      options: {
        apiURL,
        accessToken,
        collectionTypes: ['article', 'author', { singularName: 'category', queryParams: { locale: 'fr' } }],
        singleTypes: ['homepage'],
      },
    },
  ],
};
