import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { rolldown } from 'rolldown'

/** Built from code, so not linked into the tree. */
const built = new Set(['src', 'test', 'mutation', 'build'])

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
    external: id => !id.startsWith('.') && !isAbsolute(id),
    treeshake: false,
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
    if (!built.has(name) && !name.startsWith('.')) symlinkSync(join(root, name), join(folder, name))
  }
}
