import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { parseAst } from 'rolldown/parseAst'
import { afterAll, expect, it } from 'vitest'
import { brokenLinks } from '../support/broken-links.ts'
import { emptyFolder, offlineNpm, pack } from '../support/package.ts'
import { requireOrSkip } from '../support/requirements.ts'

const folder = emptyFolder('tarball')
const tarball = pack(folder.path)
execFileSync('tar', ['-xzf', tarball.path], { cwd: folder.path })
const read = (file: string) => readFileSync(join(folder.path, 'package', file), 'utf8')
const root = fileURLToPath(new URL('../..', import.meta.url))
const libraries = join(root, 'node_modules')
const manifest = JSON.parse(read('package.json'))

afterAll(folder.remove)

/** Users have them or have them not; what the package has for each is imported by those who do. */
const peers = ['@playwright/test', 'msw', 'vitest']
const forPeers: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    'playwright.js': '@playwright/test',
    'msw.js': 'msw',
    'types/library/msw/pet-mock-handlers.d.ts': 'msw',
    'types/library/runners/playwright.d.ts': '@playwright/test',
    'types/library/runners/vitest.d.ts': 'vitest',
    'vitest.js': 'vitest',
  }).flatMap(([file, peer]) => [
    [`dist/${file}`, peer],
    [`dist/commonjs/${file}`, peer],
  ]),
)

it('holds what users need and nothing else', () => {
  const top = tarball.files.filter(file => !/^(?:dist|docs|examples|fixtures)\//.test(file))
  expect(top).toEqual([
    'ARCHITECTURE.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
    'llms.txt',
    'openapi.yaml',
    'package.json',
    'schemas/pets.schema.json',
    'schemas/project.schema.json',
    'schemas/scenario.schema.json',
    'skills/pet-mock/SKILL.md',
  ])
  const built =
    /^dist\/(?:pet-mock\.cjs|prism\.cjs|THIRD-PARTY-NOTICES\.txt|commonjs\/package\.json|(?:commonjs\/)?(?:(?:library|vitest|playwright|global-setup|msw)\.js|chunks\/[\w.-]+\.js|types\/[\w/-]+\.d\.ts)|browser\.js|page\/(?:run|dashboard)\.js|panel\.js|panel\/near-[\w-]+\.js|dashboard\/(?:(?:index|panel)\.html|panel\.js|THIRD-PARTY-NOTICES\.txt|assets\/[\w-]+\.(?:js|css|svg))(?:\.gz)?)$/
  expect(tarball.files.filter(file => file.startsWith('dist/') && !built.test(file))).toEqual([])
  const inner = /^dist\/(?:commonjs\/)?types\/(?:emulator|judges|doors|cli)\//
  expect(tarball.files.filter(file => inner.test(file))).toEqual([])
})

/** Links of the pages for people who change pet-mock, who have its repository. */
const isForContributors = (link: string) =>
  /^(?:ARCHITECTURE|CONTRIBUTING)\.md: docs\/(?:contributors|decisions)\b/.test(link)

it('holds the pages of docs/ that users need, and no link of theirs leads to nothing', () => {
  const pages = readdirSync(join(root, 'docs'))
  const files = pages.filter(page => statSync(join(root, 'docs', page)).isFile()).map(page => `docs/${page}`)
  expect(tarball.files.filter(file => file.startsWith('docs/'))).toEqual(files.sort())
  expect(tarball.files).not.toContain('examples/node-client/package-lock.json')
  const broken = brokenLinks(join(folder.path, 'package'), tarball.files)
  expect(broken.filter(link => !isForContributors(link))).toEqual([])
})

it('is one package of at most 2.25 MB that runs nothing when it is installed', () => {
  expect(tarball.size).toBeLessThan(2_250_000)
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta, scripts } = manifest
  // A range of peers would keep npm from installing the command beside an older vitest (docs/decisions/0028).
  expect([dependencies, optionalDependencies, peerDependencies]).toEqual([undefined, undefined, undefined])
  const optional = Object.fromEntries(peers.map(name => [name, { optional: true }]))
  expect(peerDependenciesMeta).toEqual(optional)
  expect(Object.keys(scripts).filter(name => /^(?:(?:pre|post)?install|prepare)$/.test(name))).toEqual([])
})

it('is installed by npm 11 without a warning', context => {
  const version = `${execFileSync('npm', ['--version'])}`.trim()
  requireOrSkip(context, 'npm 11', Number.parseInt(version, 10) >= 11 ? version : undefined)
  const app = join(folder.path, 'app')
  mkdirSync(app)
  const env = { ...offlineNpm(folder.path), npm_config_loglevel: 'warn' }
  const { status, stdout, stderr } = spawnSync('npm', ['install', tarball.path], {
    cwd: app,
    env,
    encoding: 'utf8',
  })
  expect([status, stdout.trim()]).toEqual([0, expect.stringMatching(/^added 1 package/)])
  // What the settings of this machine lead to.
  expect(stderr.replace(/^npm warn Unknown .*\n/gm, '')).toBe('')
})

it('names no address of its project, which only the workflow of a release knows', () => {
  expect(manifest).not.toHaveProperty('homepage')
  expect(manifest).not.toHaveProperty('repository')
  const workflow = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')
  expect(workflow).toMatch(/npm pkg set .*"repository\.url=.*"homepage=/)
})

it('imports nothing but itself and Node', () => {
  const foreign = tarball.files
    .filter(file => /^dist\/.*(?:\.c?js|\.d\.ts)$/.test(file))
    .flatMap(file => {
      const text = read(file)
      const imports = [
        ...(file.endsWith('.d.ts') ? importsOfTypes(text) : importsOfCode(text)),
        // Those of ajv stand in code that it writes for standalone validators; `Buffer` and pino-pretty are asked for in a try.
        ...[...text.matchAll(/\brequire\(\s*["'`]((?!ajv|Buffer\b|pino-pretty\b)[\w@./:-]+)["'`]\s*\)/g)].map(
          ([, from = '']) => from,
        ),
      ]
      const isOwn = (from: string) => /^(?:\.{1,2}\/|node:)/.test(from) || builtinModules.includes(from)
      return imports.flatMap(from =>
        isOwn(from) || forPeers[file] === from ? [] : [`${file} imports ${from}`],
      )
    })
  expect(foreign).toEqual([])
})

function importsOfTypes(text: string): readonly string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '')
  return [...code.matchAll(/\b(?:from|import)\s*\(?\s*["']([\w@./:-]+)["']/g)].map(([, from = '']) => from)
}

/** What a module imports, at once or later, as a parser sees it: texts of a library may look like imports. */
function importsOfCode(text: string): readonly string[] {
  const sources: string[] = []
  JSON.stringify(parseAst(text), (_, node) => {
    const source = node?.source
    if (source?.type === 'Literal') sources.push(source.value)
    else if (source?.type === 'TemplateLiteral') sources.push(source.quasis[0].value.raw)
    return typeof node === 'bigint' ? `${node}` : node
  })
  return sources
}

it('has the license of everything that is bundled', () => {
  const notices = read('dist/THIRD-PARTY-NOTICES.txt')
  // Their data or their code is in the bundle; what they themselves depend on follows by the same mechanism.
  for (const name of [
    '@faker-js/faker',
    '@stoplight/prism-http',
    '@stoplight/json-schema-merge-allof',
    '@modelcontextprotocol/server',
    'ajv',
    'cross-spawn',
    'seedrandom',
    'which',
    'yaml',
    'yargs',
    'yargs-parser',
    'cliui',
  ]) {
    const installed = join(libraries, name)
    const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    expect(notices).toMatch(new RegExp(`^${name} ${version.replaceAll('.', '\\.')} \\([\\w.-]+\\)$`, 'm'))
  }
  expect(notices).toContain(readFileSync(join(libraries, 'yaml/LICENSE'), 'utf8').trim())
  expect(notices).toContain(readFileSync(join(libraries, 'yargs/LICENSE'), 'utf8').trim())
  // It is shut out by tools/build/ascii-width.ts.
  expect(notices).not.toContain('string-width')
})

it('publint finds nothing', async () => {
  const bytes = readFileSync(tarball.path)
  const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
  const { messages } = await publint({ pack: { tarball: data }, strict: true })
  expect(messages.map(message => formatMessage(message, manifest, { color: false }))).toEqual([])
})

it('@arethetypeswrong finds nothing', async () => {
  const packed = createPackageFromTarballData(readFileSync(tarball.path))
  const analysis = await checkPackage(packed, { excludeEntrypoints: ['./openapi.yaml'] })
  if (!analysis.types) throw new Error('the package has no types')
  // As its profile "node16": every Node that is supported knows `exports`.
  const problems = analysis.problems.filter(
    problem =>
      !('resolutionKind' in problem) ||
      (problem.resolutionKind !== 'node10' &&
        // They are for browsers, which have no CommonJS.
        !(/^\.\/(?:panel|browser)$/.test(problem.entrypoint) && problem.resolutionKind === 'node16-cjs')),
  )
  expect(problems).toEqual([])
  expect(Object.keys(analysis.entrypoints)).toEqual(
    expect.arrayContaining([
      '.',
      './vitest',
      './playwright',
      './global-setup',
      './msw',
      './browser',
      './panel',
    ]),
  )
})
