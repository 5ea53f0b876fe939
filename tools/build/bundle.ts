/* Bundles the command and the library into dist/: a step of `npm run build`. */
import { writeFileSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Plugin } from 'rolldown'
import { createChunkOf } from './chunk-of.ts'
import { thirdPartyNotices } from './third-party-notices.ts'

/** Leaves Prism out of a bundle: its chunks import it from `file`, a path relative to them. */
function prismFrom(file: string): Plugin {
  const id = '\0prism'
  return {
    name: 'prism-from',
    resolveId: source => {
      if (source === '@stoplight/prism-http') return id
      return source === file ? { id: file, external: true } : null
    },
    // Node finds no names in minified CommonJS, so only its default can be imported.
    load: source =>
      source === id
        ? `import prism from '${file}'\nexport const { createInstance, getHttpOperationsFromSpec } = prism\n`
        : null,
  }
}

/** Leaves the text of the dashboard out of a bundle: tools/build/dashboard.config.ts writes it beside the entries. */
const pageFrom: Plugin = {
  name: 'page-from',
  resolveId: source =>
    source === './dashboard-page.js' ? { id: '../page/dashboard.js', external: true } : null,
}

function module(path: string): string {
  return fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url))
}

function beside(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}

function chunksOf(entry: string) {
  return {
    groups: [{ name: createChunkOf(entry), debugName: 'chunks', includeDependenciesRecursively: false }],
  }
}

// The pets bear names of @faker-js/faker, by way of tools/build/generate.ts.
const notices = thirdPartyNotices('THIRD-PARTY-NOTICES.txt', ['@faker-js/faker'])

/** Prism, for both builds: a module of either kind can load CommonJS (docs/decisions/0034-prism.md). */
const prism: BuildOptions = {
  input: { prism: 'tools/build/prism.ts' },
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

/** The entries that CommonJS has too. */
const entries = {
  library: 'src/library/testing/entry.ts',
  vitest: 'src/library/runners/vitest.ts',
  playwright: 'src/library/runners/playwright.ts',
  'global-setup': 'src/library/runners/global-setup.ts',
  msw: 'src/library/msw/entry.ts',
}

/**
 * One self-contained bundle for the library, the runners' fixtures and the handlers for MSW: nothing is downloaded beside it. What
 * `createPetMock` does not need (the YAML reader, the schema library) is only ever imported dynamically and so lands in chunks of its own.
 */
const modules: BuildOptions = {
  input: { ...entries, browser: 'src/library/browser/entry.ts' },
  platform: 'node',
  // As includeDependenciesRecursively requires.
  preserveEntrySignatures: 'allow-extension',
  // The runners and MSW are the user's own: optional peers.
  external: ['vitest', '@playwright/test', 'msw'],
  resolve: {
    alias: {
      'string-width': beside('ascii-width.ts'),
      // The one for Node's own files: loading `node:module` for it would take a millisecond of each start.
      'yargs-parser': module('yargs-parser/browser.js'),
      y18n: beside('no-locales.ts'),
      'escalade/sync': beside('no-search.ts'),
      // Its default validator of JSON Schema is ajv. `pet-mock mcp` checks by its own declarations.
      '@modelcontextprotocol/server/_shims': beside('no-ajv.ts'),
      // Of its two builds the one for browsers: the other one needs Node's `require`, which no page has.
      yaml: module('yaml/browser/index.js'),
    },
  },
  plugins: [prismFrom('../prism.cjs'), pageFrom, notices.collect],
  output: {
    dir: 'dist',
    format: 'esm',
    comments: false,
    // Lines remain: Node prints the line that threw an error which nobody caught.
    minify: {
      compress: true,
      mangle: { keepNames: { class: true, function: false } },
      codegen: { removeWhitespace: false },
    },
    codeSplitting: chunksOf('src/library/testing/entry.ts'),
    chunkFileNames: 'chunks/[name]-[hash].js',
  },
}

const command = 'src/cli/main.ts'

/**
 * The command and, once more, the library's entries, as CommonJS. Node starts CommonJS sooner (docs/decisions/0081-command-in-commonjs.md).
 * Jest has a loader of its own, which cannot `require` an ES module; Node takes the other library (docs/decisions/0057-commonjs.md).
 */
const commonjs: BuildOptions = {
  ...modules,
  input: { ...entries, 'pet-mock': command },
  // For options of yargs that we do not use.
  transform: { define: { 'import.meta.resolve': 'undefined' } },
  plugins: [
    prismFrom('../../prism.cjs'),
    notices.write,
    {
      name: 'commonjs-folder',
      writeBundle: async () => {
        writeFileSync('dist/commonjs/package.json', '{ "type": "commonjs" }\n')
        // npm makes the command executable when it links it, and knows nothing of later builds.
        await chmod('dist/pet-mock.cjs', 0o755)
      },
    },
  ],
  output: {
    dir: 'dist',
    format: 'cjs',
    exports: 'named',
    minify: true,
    codeSplitting: chunksOf(command),
    entryFileNames: ({ name }) => (name === 'pet-mock' ? '[name].cjs' : 'commonjs/[name].js'),
    chunkFileNames: 'commonjs/chunks/[name]-[hash].js',
  },
}

/** What `box export --html` puts into its page. */
const runPage: BuildOptions = {
  input: { run: 'src/library/browser/run-page.ts' },
  platform: 'browser',
  resolve: { alias: { yaml: module('yaml/browser/index.js') } },
  plugins: [notices.collect],
  // A classic script runs as soon as it is in a page.
  output: { dir: 'dist/page', format: 'iife', minify: true, comments: false, codeSplitting: false },
}

// Not the command of rolldown: it lists all 200 files before each test.
for (const bundle of [prism, modules, runPage, commonjs]) await build(bundle)
