import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { noticedBefore } from './third-party-notices.ts'

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** `pet-mock/panel`: the button, and in a chunk of its own the panel for an emulator in the page. */
export default defineConfig({
  root: path('../../src/dashboard/'),
  publicDir: false,
  plugins: [noticedBefore('dist/dashboard/THIRD-PARTY-NOTICES.txt')],
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: path('../../dist/'),
    // The command and the library are there already.
    emptyOutDir: false,
    target: ['chrome123', 'firefox121', 'safari17.5'],
    minify: true,
    reportCompressedSize: false,
    lib: {
      entry: path('../../src/dashboard/panel/loader/entry.ts'),
      formats: ['es'],
      fileName: () => 'panel.js',
    },
    rolldownOptions: { output: { chunkFileNames: 'panel/[name]-[hash].js' } },
  },
})
