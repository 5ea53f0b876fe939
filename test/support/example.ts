import { cpSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished, type TestContext } from 'vitest'
import { emptyFolder, pack } from './package.ts'
import { requireOrSkip } from './requirements.ts'
import { type Ran, runInProject } from './run-in-project.ts'

const examples = fileURLToPath(new URL('../../examples', import.meta.url))
/** How long npm may ask a registry: one that does not answer is one that is not there. */
const patienceMs = 240_000

export interface Example {
  readonly path: string
  readonly write: (name: string, text: string) => void
  /** Runs a command of the example, such as `npm test`. */
  readonly run: (...command: readonly [string, ...string[]]) => Promise<Ran>
}

/** A copy of an example, with the packed pet-mock and whatever else it needs installed, as its lock file has it. */
export async function installExample(name: string, context: Pick<TestContext, 'skip'>): Promise<Example> {
  const folder = emptyFolder('example')
  onTestFinished(folder.remove)
  const path = join(folder.path, name)
  cpSync(join(examples, name), path, {
    recursive: true,
    filter: source => !['node_modules', 'build', 'dist'].includes(basename(source)),
  })
  const tarball = pack(folder.path)
  const env = {
    npm_config_prefer_offline: 'true',
    npm_config_fetch_timeout: '60000',
    // One that cannot be reached is asked twice more, soon.
    npm_config_fetch_retry_mintimeout: '1000',
    npm_config_fetch_retry_maxtimeout: '5000',
    npm_config_update_notifier: 'false',
  }
  const install = ['npm', 'install', '--save-dev', tarball.path] as const
  const { code, output } = await runInProject(path, install, { env, timeoutMs: patienceMs })
  const isOutOfReach =
    code === null ||
    /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTCACHED|E404)\b/.test(output)
  requireOrSkip(context, `registry that has what examples/${name} needs`, isOutOfReach ? undefined : code)
  if (code !== 0) throw new Error(`examples/${name} cannot be installed:\n${output}`)
  return {
    path,
    write: (file, text) => writeFileSync(join(path, file), text),
    run: (...command) => runInProject(path, command),
  }
}
