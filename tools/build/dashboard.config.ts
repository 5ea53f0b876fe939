import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { thirdPartyNotices } from './third-party-notices.ts'

const panelScript = 'panel/loader/script.ts'
const dashboard = fileURLToPath(new URL('../../src/dashboard/', import.meta.url))
const states = fileURLToPath(new URL('../../test/dashboard/states/', import.meta.url))

/**
 * The pages below `/__admin/`: dist/dashboard has each page of src/dashboard, and its parts in assets/. `--mode fixtures` builds
 * the page with all states of the components instead, which only tests need.
 */
export default defineConfig(({ mode }) => ({
  root: mode === 'fixtures' ? states : dashboard,
  // A proxy may serve the pages below a prefix.
  base: './',
  publicDir: false,
  plugins: [thirdPartyNotices('THIRD-PARTY-NOTICES.txt', []).write],
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('../../dist/dashboard/', import.meta.url)),
    emptyOutDir: true,
    target: ['chrome123', 'firefox121', 'safari17.5'],
    // The policy of the pages allows neither inline scripts nor data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: mode === 'fixtures' ? pagesIn(states) : [...pagesIn(dashboard), dashboard + panelScript],
      output: {
        // Pages of users name it, so it has no hash.
        entryFileNames: ({ facadeModuleId }) =>
          facadeModuleId?.replaceAll('\\', '/').endsWith(panelScript)
            ? 'panel.js'
            : 'assets/[name]-[hash].js',
      },
    },
  },
}))

function pagesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter(file => file.endsWith('.html'))
    .map(file => folder + file)
}
