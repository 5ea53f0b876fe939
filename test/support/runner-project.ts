import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { env } from 'node:process'
import { fileURLToPath } from 'node:url'
import { installPackage } from './package.ts'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))

export interface RunnerProject {
  readonly path: string
  readonly write: (files: Readonly<Record<string, string>>) => void
  /** Runs a program of the project's node_modules, and resolves with its exit code and all that it printed. */
  readonly run: (
    program: string,
    args: readonly string[],
    extraEnv?: Readonly<Record<string, string>>,
  ) => Promise<{ readonly code: number | null; readonly output: string }>
  readonly remove: () => void
}

/** A project of a user's, with the packed pet-mock installed, and these packages as this project has them. */
export function createRunnerProject(packages: readonly string[]): RunnerProject {
  const { app, remove } = installPackage()
  for (const name of packages) {
    mkdirSync(dirname(join(app, 'node_modules', name)), { recursive: true })
    symlinkSync(join(modules, name), join(app, 'node_modules', name))
  }
  writeFileSync(join(app, 'package.json'), '{ "type": "module", "private": true }')
  return {
    path: app,
    write: files => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(app, path)), { recursive: true })
        writeFileSync(join(app, path), text)
      }
    },
    run: async (program, args, extraEnv) => {
      // What the runner that this test is part of has told its workers is not for the one in the project.
      const own = Object.entries(env).filter(([name]) => !/^(?:VITEST|PET_MOCK|NODE_ENV|TEST|CI)/.test(name))
      const child = spawn(process.execPath, [join(app, 'node_modules', program), ...args], {
        cwd: app,
        env: { ...Object.fromEntries(own), NO_COLOR: '1', ...extraEnv },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let output = ''
      const collect = (chunk: Buffer) => {
        output += chunk
      }
      child.stdout.on('data', collect)
      child.stderr.on('data', collect)
      const [code] = await once(child, 'close')
      return { code, output }
    },
    remove,
  }
}
