import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutant } from './mutants.ts'
import type { Room } from './room.ts'

/** Compiles what survived, one mutant at a time: nobody could commit a mistake that the compiler rejects. */
export function compileSurvivors(
  root: string,
  { room, mutants, results }: Room,
  log: (line: string) => void,
): void {
  const open = mutants.filter(({ key }) => {
    const { status, compiles } = results.get(key) ?? {}
    return (status === 'survived' || status === 'not covered') && compiles === undefined
  })
  if (open.length === 0) return
  log(`${room}: compiling ${open.length} survivors`)
  const folder = join(root, `tools/mutation/.cache/types-${room}`)
  copySources(root, folder, room)
  if (!compiles(folder)) throw new Error('the code does not compile without a mutant')
  for (const mutant of open) results.noteCompiled(mutant.key, compilesWith(folder, mutant))
  results.save()
}

function copySources(root: string, folder: string, room: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const name of ['src', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const config = {
    extends: join(root, 'tsconfig.json'),
    // A mutant that leaves a name unused is a mistake that can be committed once the name is removed.
    compilerOptions: { noUnusedLocals: false, noUnusedParameters: false },
    include: [`src/${room}`],
    exclude: [],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
}

function compilesWith(folder: string, { file, start, original, replacement }: Mutant): boolean {
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.slice(0, start) + replacement + text.slice(start + original.length))
  const isAccepted = compiles(folder)
  writeFileSync(path, text)
  return isAccepted
}

function compiles(folder: string): boolean {
  const compiler = join(folder, 'node_modules/typescript/lib/tsc.js')
  return spawnSync(process.execPath, [compiler, '-p', folder], { stdio: 'ignore' }).status === 0
}
