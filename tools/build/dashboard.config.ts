import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, defineConfig, type Plugin, type PluginOption, type Rolldown } from 'vite'
import { noticedBefore, thirdPartyNotices } from './third-party-notices.ts'

const path = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url))
const panelScript = 'panel/loader/script.ts'
const dashboard = path('src/dashboard/')
const states = path('test/dashboard/states/')
const notices = 'dist/dashboard/THIRD-PARTY-NOTICES.txt'

/** Writes the page as a module with its text: a frame, or a file, needs no second one. */
const asText: Plugin = {
  name: 'as-text',
  // After Vite's own.
  generateBundle: { order: 'post', handler: (_options, bundle) => writePage(bundle) },
}

/** None in an image, whose build has no tests. */
function pagesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter(file => file.endsWith('.html'))
    .map(file => folder + file)
}

const builds: Readonly<
  Record<string, { readonly plugins: readonly PluginOption[]; readonly build: BuildOptions }>
> = {
  /** The pages below `/__admin/`: dist/dashboard has each page of src/dashboard, and its parts in assets/. */
  production: {
    plugins: [thirdPartyNotices('THIRD-PARTY-NOTICES.txt', []).write],
    build: {
      outDir: path('dist/dashboard/'),
      emptyOutDir: true,
      // The policy of the pages allows neither inline scripts nor data URLs.
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: [...pagesIn(dashboard), dashboard + panelScript],
        output: {
          // Pages of users name it, so it has no hash.
          entryFileNames: ({ facadeModuleId }) =>
            facadeModuleId?.replaceAll('\\', '/').endsWith(panelScript)
              ? 'panel.js'
              : 'assets/[name]-[hash].js',
        },
      },
    },
  },
  /** The page with all states of the components, which only tests need. */
  fixtures: {
    plugins: [],
    build: {
      outDir: path('dist/dashboard/'),
      emptyOutDir: true,
      assetsInlineLimit: 0,
      rolldownOptions: { input: pagesIn(states), output: { entryFileNames: 'assets/[name]-[hash].js' } },
    },
  },
  /** `pet-mock/panel`: the button, and in a chunk of its own the panel for an emulator in the page. */
  panel: {
    plugins: [noticedBefore(notices)],
    build: {
      minify: true,
      lib: { entry: `${dashboard}panel/loader/entry.ts`, formats: ['es'], fileName: () => 'panel.js' },
      rolldownOptions: { output: { chunkFileNames: 'panel/[name]-[hash].js' } },
    },
  },
  /** The dashboard of `pet-mock/browser`: the whole page in one text. */
  page: {
    plugins: [asText, noticedBefore(notices)],
    build: {
      cssCodeSplit: false,
      assetsInlineLimit: Number.POSITIVE_INFINITY,
      modulePreload: false,
      rolldownOptions: { input: `${dashboard}start.tsx`, output: { codeSplitting: false } },
    },
  },
}

export default defineConfig(({ mode }) => ({
  root: mode === 'fixtures' ? states : dashboard,
  // A proxy may serve the pages below a prefix.
  base: './',
  publicDir: false,
  plugins: [...(builds[mode]?.plugins ?? [])],
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: path('dist/'),
    // The command and the library are there already.
    emptyOutDir: false,
    target: ['chrome123', 'firefox121', 'safari17.5'],
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    ...builds[mode]?.build,
  },
}))

function writePage(bundle: Rolldown.OutputBundle): void {
  const files = Object.values(bundle)
  const script = files.flatMap(file => (file.type === 'chunk' ? [file.code] : [])).join('\n')
  const styles = files.flatMap(file =>
    /\.css$/.test(file.fileName) && 'source' in file ? [file.source] : [],
  )
  const page = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><title>pet-mock</title>',
    `<style>${styles.join('\n')}</style></head><body><div id="app"></div>`,
    // An HTML parser ends a script at this tag, wherever it stands.
    `<script type="module">${script.replace(/<(?=\/script|!--)/gi, '\\x3c')}</script></body></html>`,
  ].join('')
  writeFileSync(path('dist/page/dashboard.js'), `export const page = ${JSON.stringify(page)}\n`)
  for (const name of Object.keys(bundle)) delete bundle[name]
}
