import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { noticedBefore } from './third-party-notices.ts'

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** Writes the page as a module with its text: a frame, or a file, needs no second one. */
const asText: Plugin = {
  name: 'as-text',
  // After Vite's own.
  generateBundle: { order: 'post', handler: (_options, bundle) => writePage(bundle) },
}

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
  writeFileSync(path('../../dist/page/dashboard.js'), `export const page = ${JSON.stringify(page)}\n`)
  for (const name of Object.keys(bundle)) delete bundle[name]
}

/** The dashboard of `pet-mock/browser`: the whole page in one text. */
export default defineConfig({
  root: path('../../src/dashboard/'),
  publicDir: false,
  plugins: [asText, noticedBefore('dist/dashboard/THIRD-PARTY-NOTICES.txt')],
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: path('../../dist/'),
    emptyOutDir: false,
    target: ['chrome123', 'firefox121', 'safari17.5'],
    cssCodeSplit: false,
    assetsInlineLimit: Number.POSITIVE_INFINITY,
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: { input: path('../../src/dashboard/start.tsx'), output: { codeSplitting: false } },
  },
})
