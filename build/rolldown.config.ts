import { chmod } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { defineConfig, type RolldownOptions } from 'rolldown'
import { createChunkOf } from './chunk-of.ts'
import { prismFrom } from './prism-from.ts'
import { thirdPartyNotices } from './third-party-notices.ts'

function module(path: string): string {
  return fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url))
}

function beside(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}

// The pets bear names of @faker-js/faker, by way of build/generate.ts.
const notices = thirdPartyNotices('THIRD-PARTY-NOTICES.txt', ['@faker-js/faker'])

/** Prism, for both builds: a module of either kind can load CommonJS (docs/decisions/0034-prism.md). */
const prism: RolldownOptions = {
  input: { prism: 'build/prism.ts' },
  platform: 'node',
  resolve: {
    alias: {
      // What Prism loads, without what it would load in vain: docs/decisions/0034-prism.md.
      'jsonc-parser': module('jsonc-parser/lib/esm/main.js'),
      '@faker-js/faker': module('@stoplight/prism-http/node_modules/@faker-js/faker/dist/esm/locale/en.mjs'),
      '@stoplight/http-spec/postman/operation': beside('no-postman-collections.ts'),
      'node-fetch': beside('no-sending.ts'),
      'http-proxy-agent': beside('no-sending.ts'),
      'https-proxy-agent': beside('no-sending.ts'),
    },
  },
  plugins: [notices.collect],
  output: { dir: 'dist', format: 'cjs', cleanDir: true, minify: true, entryFileNames: '[name].cjs' },
}

/**
 * One self-contained bundle for the command, the library, the runners' fixtures and the handlers for MSW: nothing is downloaded beside it. What a plain `serve`
 * does not need (the YAML reader, the schema library) is only ever imported dynamically and so lands in chunks of its own.
 */
export const bundle: RolldownOptions = {
  input: {
    'pet-mock': 'src/cli/main.ts',
    library: 'src/library/testing/entry.ts',
    vitest: 'src/library/runners/vitest.ts',
    playwright: 'src/library/runners/playwright.ts',
    'global-setup': 'src/library/runners/global-setup.ts',
    msw: 'src/library/msw/entry.ts',
  },
  platform: 'node',
  // The runners and MSW are the user's own: optional peers.
  external: ['vitest', '@playwright/test', 'msw'],
  resolve: {
    alias: {
      'string-width': beside('ascii-width.ts'),
      y18n: beside('no-locales.ts'),
      'escalade/sync': beside('no-search.ts'),
      // Its default validator of JSON Schema is ajv. `pet-mock mcp` checks by its own declarations.
      '@modelcontextprotocol/server/_shims': beside('no-ajv.ts'),
      // Of its two builds the one for browsers: the other one needs Node's `require`, which no page has.
      yaml: module('yaml/browser/index.js'),
    },
  },
  plugins: [
    prismFrom('../prism.cjs'),
    notices.write,
    {
      name: 'executable',
      // npm makes the command executable when it links it, and knows nothing of later builds.
      writeBundle: () => chmod('dist/pet-mock.js', 0o755),
    },
  ],
  output: {
    dir: 'dist',
    format: 'esm',
    minify: true,
    codeSplitting: { groups: [{ name: createChunkOf(), includeDependenciesRecursively: false }] },
    chunkFileNames: 'chunks/[name]-[hash].js',
  },
}

export default defineConfig([prism, bundle])
