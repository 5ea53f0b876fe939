/*
 * Writes the type declarations of the library to dist/types and dist/commonjs/types: what the compiler makes of its entry, and of each file
 * that a public type comes from, but of no other. Run by `npm run build`, after the bundler.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const emitted = mkdtempSync(join(tmpdir(), 'pet-mock-types-'))
const written = new Set<string>()

interface Exported {
  readonly import?: { readonly types: string }
}

/** The same text once more: the package.json beside it makes it types of CommonJS. */
const targets = ['dist/types', 'dist/commonjs/types']

try {
  const compile = (project: string, ...options: readonly string[]) =>
    execFileSync(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), '--project', project, '--outDir', emitted, ...options],
      { cwd: root, stdio: 'inherit' },
    )
  compile('tools/build/tsconfig.types.json')
  // The panel has the types of the DOM.
  compile(
    'src/dashboard/tsconfig.json',
    '--noEmit',
    'false',
    '--declaration',
    '--emitDeclarationOnly',
    '--rootDir',
    'src',
  )
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const { import: entry } of Object.values<Exported>(exports))
    if (entry !== undefined) write(entry.types.replace(/^\.\/dist\/types\/(.*)\.d\.ts$/, '$1.ts'))
} finally {
  rmSync(emitted, { recursive: true })
}

/** Writes the declarations of a file of src/, and of those that they import. */
function write(source: string): void {
  if (written.has(source)) return
  written.add(source)
  const text = readFileSync(join(emitted, source.replace(/\.ts$/, '.d.ts')), 'utf8')
  const published = text.replace(/(?<= from '|import\(['"])(\..*?)\.ts(?=['"])/g, (_whole, path: string) => {
    write(join(dirname(source), `${path}.ts`))
    return `${path}.js`
  })
  for (const folder of targets) {
    const target = join(root, folder, source.replace(/\.ts$/, '.d.ts'))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, published)
  }
}
