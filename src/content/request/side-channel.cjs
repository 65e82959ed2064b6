/**
 * @module What `qs` remembers of objects: it asks `side-channel` for a map, which brings 22 KB for engines that have no
 * WeakMap. The Worker has one; `wrangler.toml` puts this in the package's place.
 */
module.exports = () => new WeakMap();
