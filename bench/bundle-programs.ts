import { join } from 'node:path'
import { rolldown } from 'rolldown'

const programs = ['bare-server', 'calls', 'doors', 'first-mock', 'heap-reporter', 'sizes', 'twin-doors']

/** Where `bundlePrograms` has put one of the programs. */
export function bundledProgram(folder: string, name: string): string {
  return join(folder, 'programs', `${name}.mjs`)
}

/**
 * What is measured in a process of its own runs as plain, bundled JavaScript, as the package does: a loader that turns
 * TypeScript into JavaScript would be measured too.
 */
export async function bundlePrograms(root: string, folder: string): Promise<void> {
  const bundle = await rolldown({
    input: Object.fromEntries(programs.map(name => [name, join(root, 'bench/programs', `${name}.ts`)])),
    platform: 'node',
  })
  await bundle.write({
    dir: join(folder, 'programs'),
    format: 'esm',
    minify: true,
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  })
  await bundle.close()
}
