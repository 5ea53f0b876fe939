import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import {
  Copy,
  DockerfileParser,
  Env,
  From,
  type Instruction,
  type JSONInstruction,
  Run,
  Workdir,
} from 'dockerfile-ast'

// Its types describe a default export that the module does not have.
const dockerignore: typeof import('@balena/dockerignore').default = createRequire(import.meta.url)(
  '@balena/dockerignore',
)

/** What a stage of a Dockerfile leaves behind, in folders of this machine. */
export interface Stage {
  /** The folder that is `/`. */
  readonly root: string
  readonly workdir: string
  readonly env: Readonly<Record<string, string>>
  /** Its last instruction of each other keyword, such as `USER`. */
  readonly last: ReadonlyMap<string, Instruction>
}

/** The files that a build may copy. */
export function buildContext(root: string): readonly string[] {
  const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  })
  return dockerignore()
    .add(readFileSync(join(root, '.dockerignore'), 'utf8'))
    .filter(`${tracked}`.trim().split('\n'))
}

/** Carries out a Dockerfile without Docker: the base images are empty folders, and RUN runs on this machine. */
export function carryOut(file: string, context: string, folder: string): Stage {
  const stages = new Map<string, Stage>()
  let stage: Stage = { root: '', workdir: '/', env: {}, last: new Map() }
  for (const step of DockerfileParser.parse(readFileSync(file, 'utf8')).getInstructions()) {
    if (step instanceof From) {
      const root = join(folder, `stage-${stages.size}`)
      mkdirSync(root)
      stage = { root, workdir: '/', env: {}, last: new Map() }
      stages.set(step.getBuildStage() ?? '', stage)
    } else {
      stage = next(stage, step, context, stages)
    }
    stages.set([...stages.keys()].at(-1) ?? '', stage)
  }
  return stage
}

function next(stage: Stage, step: Instruction, context: string, stages: ReadonlyMap<string, Stage>): Stage {
  const place = (path: string) => join(stage.root, path.startsWith('/') ? path : join(stage.workdir, path))
  if (step instanceof Workdir) {
    const workdir = step.getArgumentsContent() ?? '/'
    mkdirSync(join(stage.root, workdir), { recursive: true })
    return { ...stage, workdir }
  }
  if (step instanceof Env) {
    const added = step.getProperties().map(one => [one.getName(), one.getValue() ?? ''] as const)
    return { ...stage, env: { ...stage.env, ...Object.fromEntries(added) } }
  }
  if (step instanceof Copy) {
    const paths = step.getArguments().map(argument => argument.getValue())
    const from = step.getFromFlag()?.getValue()
    const source = from === undefined || from === null ? context : (stages.get(from)?.root ?? '')
    const target = paths.at(-1) ?? ''
    for (const path of paths.slice(0, -1)) copy(join(source, path), place(target), target.endsWith('/'))
    return stage
  }
  if (step instanceof Run) {
    const command = (step as JSONInstruction).getArgumentsContent() ?? ''
    execFileSync('/bin/sh', ['-c', command], { cwd: place('.'), env: runEnvironment(), stdio: 'pipe' })
    return stage
  }
  return { ...stage, last: new Map([...stage.last, [step.getKeyword(), step]]) }
}

/** As Docker: the content of a folder, or a file into the folder or with the name that is given. */
function copy(source: string, target: string, isFolder: boolean): void {
  if (statSync(source).isDirectory())
    for (const name of readdirSync(source))
      cpSync(join(source, name), join(target, name), { recursive: true })
  else cpSync(source, isFolder ? join(target, basename(source)) : target, { recursive: true })
}

function runEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env
  const settings = Object.entries(process.env).filter(([name]) => /^npm_config_|^HTTPS?_PROXY$/i.test(name))
  return { PATH, HOME, ...Object.fromEntries(settings) }
}

/** The words of an instruction in JSON form, such as `CMD ["serve"]`. */
export function wordsOf(step: Instruction | undefined): readonly string[] {
  const text = /\[.*\]/s.exec(step?.getArgumentsContent() ?? '')?.[0] ?? '[]'
  return JSON.parse(text)
}
