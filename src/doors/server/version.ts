import manifest from '../../../package.json' with { type: 'json' }

/** The bundler writes it into the bundle: nothing is read at start. */
export const { version } = manifest
