import manifest from '../../../package.json' with { type: 'json' }

/** The bundler inlines it: nothing is read at start. */
export const { version } = manifest
