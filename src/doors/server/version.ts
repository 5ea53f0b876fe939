import manifest from '../../../package.json' with { type: 'json' }

/** The bundler writes it into the bundle, so nothing is read at start. */
export const version: string = manifest.version
