/** Stands in the bundle for `y18n`, which would read the texts of yargs from `locales/` beside the package. */
export default function noLocales() {
  return { __: (text: string) => text, getLocale: () => 'en', setLocale: () => {} }
}
