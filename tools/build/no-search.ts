/** Stands in the bundle for `escalade`, by which yargs would look for a `package.json` around the working directory. */
export default function noSearch() {}
