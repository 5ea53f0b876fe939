import { chmod } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'rolldown'

/**
 * One self-contained bundle: nothing is downloaded beside it. What a plain `serve` does not need (the YAML reader,
 * the schema library) is only ever imported dynamically and so lands in chunks of its own.
 */
export default defineConfig({
  input: { 'pet-mock': 'src/cli/main.ts' },
  platform: 'node',
  resolve: { alias: { 'string-width': fileURLToPath(new URL('./ascii-width.ts', import.meta.url)) } },
  plugins: [
    {
      name: 'executable',
      // npm makes the command executable when it links it, and knows nothing of later builds.
      writeBundle: () => chmod('dist/pet-mock.js', 0o755),
    },
  ],
  output: {
    dir: 'dist',
    format: 'esm',
    cleanDir: true,
    minify: true,
    chunkFileNames: 'chunks/[name]-[hash].js',
  },
})
