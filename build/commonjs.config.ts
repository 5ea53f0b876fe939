import { writeFileSync } from 'node:fs'
import { defineConfig } from 'rolldown'
import { prismFrom } from './prism-from.ts'
import { bundle } from './rolldown.config.ts'
import { noticedBefore } from './third-party-notices.ts'

/**
 * The library's entries once more, as CommonJS: Jest has a loader of its own, which cannot `require` an ES module. Node
 * takes the other build (docs/decisions/0057-commonjs.md).
 */
export default defineConfig({
  ...bundle,
  input: {
    library: 'src/library/testing/entry.ts',
    vitest: 'src/library/runners/vitest.ts',
    playwright: 'src/library/runners/playwright.ts',
    'global-setup': 'src/library/runners/global-setup.ts',
    msw: 'src/library/msw/entry.ts',
  },
  plugins: [
    prismFrom('../../prism.cjs'),
    noticedBefore('dist/THIRD-PARTY-NOTICES.txt'),
    {
      name: 'commonjs-folder',
      writeBundle: () => writeFileSync('dist/commonjs/package.json', '{ "type": "commonjs" }\n'),
    },
  ],
  output: {
    dir: 'dist/commonjs',
    format: 'cjs',
    exports: 'named',
    cleanDir: true,
    minify: true,
    chunkFileNames: 'chunks/[name]-[hash].js',
  },
})
