import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { leftOut, testFiles } from '../support/lanes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = '.github/workflows'
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

interface Step {
  readonly run?: string
  readonly uses?: string
}

interface Workflow {
  readonly jobs: Readonly<
    Record<string, { readonly steps?: readonly Step[]; readonly needs?: string | readonly string[] }>
  >
}

/** What a line of a workflow names and the project lacks. */
function missing(line: string, files: readonly string[] = testFiles()): readonly string[] {
  const words = line.split(/\s+/)
  const known = ['test', 'src', 'tools', 'docs', 'examples', '.ci', '.github']
  const paths = words.filter(word => known.includes(word.split('/')[0] ?? '') && word.includes('/'))
  const [, script] = /\bnpm (?:run (?:-s )?)?([\w:-]+)/.exec(line) ?? []
  const isOwn = /\bnpm (?:run|test)\b/.test(line)
  return [
    ...paths.filter(path => !existsSync(join(root, path))),
    ...(isOwn && scripts[script ?? ''] === undefined ? [`npm run ${script}`] : []),
    // vitest is content if one of several filters finds a test.
    ...(/\bvitest run\b/.test(line) ? paths.filter(path => !runsAny(line, path, files)) : []),
  ]
}

/** Whether vitest finds a test by this filter, in the lanes of the command. */
function runsAny(line: string, filter: string, files: readonly string[]): boolean {
  const [, mode = 'quick'] = /--mode (\w+)/.exec(line) ?? []
  const late = Object.values(leftOut)
    .flat()
    .map(glob => glob.replace('**', ''))
  const isLate = (file: string) => late.some(start => file.startsWith(start))
  return files
    .filter(file => file.includes(filter))
    .some(file => mode === 'all' || (mode === 'rest') === isLate(file))
}

test.each(readdirSync(join(root, folder)))('%s names paths, scripts and tests that exist', name => {
  const { jobs }: Workflow = parse(readFileSync(join(root, folder, name), 'utf8'))
  const lines = Object.values(jobs).flatMap(({ steps = [] }) =>
    steps.flatMap(({ run }) => run?.split('\n') ?? []),
  )
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.flatMap(line => missing(line))).toEqual([])
})

// Only root may make network namespaces. CI runs as another user, for whom a test that needs more is a failure.
test('CI tests the container as root, and all else as another user', () => {
  const { jobs }: Workflow = parse(readFileSync(join(root, folder, 'ci.yml'), 'utf8'))
  const commands = jobs.test?.steps?.flatMap(({ run }) => run ?? []) ?? []
  const rest = commands.filter(command => command.includes('test:rest'))
  expect(rest).toEqual(["npm run test:rest -- --exclude 'test/container/**'"])
  expect(commands.filter(command => /^sudo .*--mode rest test\/container$/.test(command))).toHaveLength(1)
})

test.each(readdirSync(join(root, folder)))(
  '%s pins each action to a commit, and says which version that is',
  name => {
    const lines = readFileSync(join(root, folder, name), 'utf8').match(/\buses: .*/g) ?? []
    const loose = lines.filter(line => !/^uses: (?:\.\/|\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+$)/.test(line))
    expect(loose).toEqual([])
  },
)

test('nothing is published before tests, package and executables, and nothing else before npm', () => {
  const { jobs }: Workflow = parse(readFileSync(join(root, folder, 'release.yml'), 'utf8'))
  const needs = Object.fromEntries(
    Object.entries(jobs).map(([name, { needs = [] }]) => [name, [needs].flat()]),
  )
  expect(needs).toEqual({
    test: [],
    package: [],
    binary: [],
    npm: ['test', 'package', 'binary'],
    image: ['npm'],
    site: ['npm'],
    notes: ['npm', 'image'],
  })
  const steps = jobs.npm?.steps?.map(({ run = '' }) => run.split('\n')[0] ?? '') ?? []
  const [check, publish] = [/^if npm view pet-mock/, /^npm publish/].map(start =>
    steps.findIndex(line => start.test(line)),
  )
  expect(check).toBeGreaterThan(0)
  expect(publish).toBeGreaterThan(check ?? 0)
})

test('what is missing is found', () => {
  expect(missing('sudo .ci/no-tools')).toEqual(['.ci/no-tools'])
  expect(missing('npm run no-such')).toEqual(['npm run no-such'])
  expect(missing('npx vitest run test/api test/msw')).toEqual(['test/msw', 'test/msw'])
  expect(missing('npx vitest run test/package')).toEqual(['test/package'])
  expect(missing('npx vitest run --mode rest test/package')).toEqual([])
})
