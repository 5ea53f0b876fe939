import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { basename, isAbsolute, join, relative } from 'node:path'
import { rolldown } from 'rolldown'

/** Code, of which the tree has what the tests import, and folders that no test in it reads. */
const notCopied = new Set(['src', 'tools', 'dist', 'node_modules'])

/**
 * Writes the sources and tests as JavaScript, file by file, into a folder that looks like the project: tests find
 * their pages and fixtures beside them.
 */
export async function writeTree(
  root: string,
  folder: string,
  entries: readonly string[],
  instrumented: ReadonlyMap<string, string>,
): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map(path => [path.replace(/\.ts$/, ''), join(root, path)])),
    platform: 'node',
    // Only the build makes the page of the dashboard. No test here opens it.
    external: id =>
      id === './dashboard-page.js' ||
      (!id.startsWith('.') && !isAbsolute(id) && !id.startsWith('@oxc-project/runtime')),
    treeshake: false,
    // Node 20 knows no `using`: this folder has the helpers.
    transform: { target: 'node20' },
    resolve: { modules: ['node_modules', join(root, 'tools/mutation/node_modules')] },
    plugins: [
      {
        name: 'mutants',
        load: id => {
          const code = instrumented.get(relative(root, id))
          return code === undefined ? null : { code, moduleType: 'ts' as const }
        },
      },
    ],
    onLog: () => {},
  })
  await bundle.write({
    dir: folder,
    format: 'esm',
    preserveModules: true,
    preserveModulesRoot: root,
    entryFileNames: '[name].js',
  })
  await bundle.close()
  for (const name of readdirSync(root)) {
    // Copies: a run lasts long, and must not see what changes meanwhile.
    if (!notCopied.has(name) && !name.startsWith('.')) {
      cpSync(join(root, name), join(folder, name), {
        recursive: true,
        // Of test/, only what its code reads.
        filter: path => basename(path) !== 'node_modules' && !(name === 'test' && path.endsWith('.ts')),
      })
    }
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
}
