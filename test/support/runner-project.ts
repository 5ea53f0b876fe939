import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { env } from 'node:process'
import { fileURLToPath } from 'node:url'
import { installPackage } from './package.ts'
import { type Ran, runInProject } from './run-in-project.ts'

/** Where peers are taken from: this project, or, where the environment says so, a folder with other versions of them. */
export const peerModules =
  env.PET_MOCK_TEST_PEERS ?? fileURLToPath(new URL('../../node_modules', import.meta.url))

export interface RunnerProject {
  readonly path: string
  readonly write: (files: Readonly<Record<string, string>>) => void
  /** Runs a program of the project's node_modules, and resolves with its exit code and all that it printed. */
  readonly run: (
    program: string,
    args: readonly string[],
    extraEnv?: Readonly<Record<string, string>>,
  ) => Promise<Ran>
  /** The same, in a folder of the project. */
  readonly runIn: (
    folder: string,
    program: string,
    args: readonly string[],
    extraEnv?: Readonly<Record<string, string>>,
  ) => Promise<Ran>
  readonly remove: () => void
}

/** A project of a user's, with the packed pet-mock installed, and these packages beside it. */
export function createRunnerProject(packages: readonly string[]): RunnerProject {
  const { app, remove } = installPackage()
  for (const name of packages) {
    mkdirSync(dirname(join(app, 'node_modules', name)), { recursive: true })
    symlinkSync(join(peerModules, name), join(app, 'node_modules', name))
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
    runIn: (folder, program, args, env = {}) =>
      runInProject(join(app, folder), [process.execPath, join(app, 'node_modules', program), ...args], {
        env,
      }),
    run: (program, args, env = {}) =>
      runInProject(app, [process.execPath, join(app, 'node_modules', program), ...args], { env }),
    remove,
  }
}
