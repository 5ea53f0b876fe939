import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readSourceFiles, type SourceFile } from './support/source-files.ts'

/** The wings from the lowest to the highest. A wing imports from itself and from the wings below it. */
const wings = [
  'base',
  'generated',
  'service',
  'emulator',
  'control',
  'judges',
  'doors',
  'library',
  'dashboard',
  'cli',
] as const
const files = readSourceFiles()
const written = files.filter(({ wing }) => wing !== 'generated')

const level = (wing: string) => (wings as readonly string[]).indexOf(wing)

/** src/tsconfig.floors.json compiles the same files with neither the DOM's types nor Node's. */
const inBrowsers = written.filter(
  ({ wing, room }) => level(wing) <= level('judges') || /^doors\/(?:admin|fetch)(?:\/|$)/.test(room),
)

/** `path: complaint` for every complaint that `check` has about one of these files. */
function complaints(about: readonly SourceFile[], check: (file: SourceFile) => readonly string[]): string[] {
  return about.flatMap(file => check(file).map(complaint => `src/${file.path}: ${complaint}`))
}

/** The files of a folder that git has, as paths from the root. */
const tracked = (folder: string) =>
  execFileSync('git', ['ls-files', folder], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter(file => existsSync(file))

const wingOf = (path: string) => path.split('/')[0] ?? ''
const roomOf = (path: string) => path.split('/').slice(0, -1).join('/')

describe('wings and rooms', () => {
  test('every file is in a wing', () => {
    expect([...new Set(files.map(({ wing }) => wing))].sort()).toEqual([...wings].sort())
  })

  test('a file imports from its own wing and from the wings below it', () => {
    const upward = complaints(files, ({ wing, imports }) =>
      imports
        .filter(({ from, isOwn }) => isOwn && !from.startsWith('..') && level(wingOf(from)) > level(wing))
        .map(({ from }) => `imports src/${from}, which is above it`),
    )
    expect(upward).toEqual([])
  })

  test('files form no circle', () => {
    const graph = new Map(
      files.map(({ path, imports }) => [path, imports.filter(own).map(({ from }) => from)]),
    )
    expect(circlesIn(graph)).toEqual([])
  })

  test('rooms form no circle', () => {
    const graph = new Map<string, string[]>()
    for (const { room, imports } of files) {
      const others = imports.filter(own).map(({ from }) => roomOf(from))
      graph.set(room, [...(graph.get(room) ?? []), ...others.filter(other => other !== room)])
    }
    expect(circlesIn(graph)).toEqual([])
  })
})

describe('entries', () => {
  /**
   * Folders whose files are imported from more than three places: vocabularies, such as `base/text`, and rooms that still wait
   * for a smaller door. The numbers only fall.
   */
  const wide: Readonly<Record<string, number>> = {
    base: 5,
    'base/json': 12,
    'base/text': 9,
    'base/time': 6,
    'cli/arguments': 11,
    'cli/clients': 5,
    'cli/remote': 4,
    'cli/start': 8,
    'cli/start/load': 7,
    'cli/start/state': 6,
    'cli/terminal': 11,
    'control/fields': 8,
    'control/profile': 4,
    'control/scenario': 6,
    'control/scenario/checks': 6,
    'control/scenario/settings': 13,
    'control/snapshot': 5,
    'dashboard/design': 13,
    'dashboard/openapi': 10,
    'dashboard/state': 14,
    'dashboard/traffic': 4,
    'doors/admin/routing': 11,
    'doors/server': 14,
    'emulator/gates': 6,
    'emulator/rules': 4,
    'emulator/worlds': 7,
    'judges/box': 7,
    'judges/box/runs': 4,
    'judges/conduct': 7,
    'judges/conformance': 5,
    'judges/contract': 4,
    'judges/contract/description': 4,
    'judges/contract/prism': 4,
    'judges/exchanges': 4,
    'judges/fleet': 6,
    'judges/inspection': 7,
    'judges/profile': 4,
    'judges/rehearsal': 8,
    'judges/replay': 5,
    'judges/report': 9,
    'judges/search': 7,
    'judges/walkthrough': 5,
    'library/client': 6,
    'library/testing': 9,
    'service/call': 10,
    'service/keys': 5,
    'service/pets': 5,
  }

  test('other folders import at most three files of a folder', () => {
    const entries = new Map<string, Set<string>>()
    for (const { room, imports } of written)
      for (const { from } of imports.filter(own))
        if (roomOf(from) !== room && wingOf(from) !== 'generated')
          entries.set(roomOf(from), new Set([...(entries.get(roomOf(from)) ?? []), from]))
    const over = [...entries].filter(([room, { size }]) => size > (wide[room] ?? 3))
    expect(over.map(([room, files]) => `src/${room}: ${[...files].sort().join(', ')}`)).toEqual([])
  })
})

const own = ({ isOwn, from }: { readonly isOwn: boolean; readonly from: string }) =>
  isOwn && /\.tsx?$/.test(from)

/** Each circle of a graph, once, as the path that closes it. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (node: string, path: readonly string[]) => {
    if (path.includes(node)) circles.push([...path.slice(path.indexOf(node)), node].join(' -> '))
    if (done.has(node) || path.includes(node)) return
    for (const next of graph.get(node) ?? []) visit(next, [...path, node])
    done.add(node)
  }
  for (const node of graph.keys()) visit(node, [])
  return circles
}

describe('size', () => {
  test('src has at most 66,067 lines of code and catalogues', () => {
    const texts = [
      ...written.map(({ code }) => code),
      ...tracked('src/judges').flatMap(file => (file.endsWith('.json') ? [readFileSync(file, 'utf8')] : [])),
    ]
    const lines = texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0)
    expect(lines).toBeLessThanOrEqual(66_067)
  })

  test('tools has at most 12,091 lines, of code and other texts, lock files aside', () => {
    const text = tracked('tools').filter(file => !file.endsWith('/package-lock.json'))
    const lines = text.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0)
    expect(lines).toBeLessThanOrEqual(12_091)
  })

  test('the root has at most 25 entries, dot files aside', () => {
    const entries = new Set(tracked('.').map(wingOf))
    expect([...entries].filter(entry => !entry.startsWith('.')).length).toBeLessThanOrEqual(25)
  })
})

describe('what is absent', () => {
  test('code for browsers imports nothing that a browser does not have', () => {
    const allowed = /^(?:yaml|hono\/.*|fast-check|@msw\/data|@stoplight\/prism-http)$/
    const foreign = complaints(inBrowsers, ({ imports }) =>
      imports.filter(({ from, isOwn }) => !isOwn && !allowed.test(from)).map(({ from }) => `imports ${from}`),
    )
    expect(foreign).toEqual([])
  })

  test('the dashboard reaches an emulator through the admin plane only', () => {
    const parts = /^(?:dashboard|base|generated|judges\/report)\//
    const others = complaints(
      files.filter(({ wing }) => wing === 'dashboard'),
      ({ imports }) =>
        imports
          .filter(({ from, isOwn, isType }) => isOwn && !isType && !parts.test(from))
          .map(({ from }) => `imports src/${from}`),
    )
    expect(others).toEqual([])
  })

  test('below the doors nothing reads real time, draws unseeded chance or sets a timer', () => {
    const forbidden =
      /\b(?:Date\.now|performance\.now|new Date\(\)|Math\.random|crypto\.|setTimeout|setInterval|setImmediate|queueMicrotask)\b/g
    const found = complaints(
      written.filter(({ wing }) => level(wing) < level('doors')),
      ({ code }) => [...code.matchAll(forbidden)].map(([word]) => word),
    )
    expect(found).toEqual([])
  })

  test('no state at module level', () => {
    const found = complaints(written, ({ code }) => [
      ...[...code.matchAll(/^(?:export )?(?:let|var) .*/gm)].map(([line]) => line),
      ...[...code.matchAll(/^(?:export )?const .*= (?:new (?:Map|Set|WeakMap)|\[\]$|\{\}$).*/gm)]
        .map(([line]) => line)
        .filter(line => !/: Readonly(?:Map|Set)</.test(line)),
    ])
    expect(found).toEqual([])
  })

  const heavy =
    /^(?:yaml|yargs|zod(?:\/mini)?|hono\/.*|@stoplight\/prism-http|@msw\/data|fast-check|@modelcontextprotocol\/.*)$/

  test.each([
    ['the command loads heavy libraries only when it needs them', 'cli/main.ts', heavy],
    ['the handlers for MSW load nothing of Node', 'library/msw/entry.ts', /^node:/],
  ])('%s', (_name, entry, forbidden) => {
    const byPath = new Map(files.map(file => [file.path, file]))
    const seen = new Set<string>()
    const found: string[] = []
    const visit = (path: string) => {
      const file = byPath.get(path)
      if (file === undefined || seen.has(path)) return
      seen.add(path)
      for (const { from, isOwn, isDynamic, isType } of file.imports) {
        if (isDynamic || isType) continue
        if (isOwn) visit(from)
        else if (forbidden.test(from)) found.push(`src/${path} imports ${from}`)
      }
    }
    visit(entry)
    expect(seen.size).toBeGreaterThan(20)
    expect(found).toEqual([])
  })

  test('no vague names, no barrels, no loose types', () => {
    const found = complaints(files, ({ path, code }) => [
      ...(/(?:^|\/)(?:utils?|helpers?|common|misc|shared|index)(?:\.|\/|$)/.test(path)
        ? ['its name says nothing']
        : []),
      ...[...code.matchAll(/(?:: any\b|<any>|\bas any\b|@ts-ignore|@ts-expect-error|biome-ignore)/g)].map(
        ([word]) => word,
      ),
    ])
    expect(found).toEqual([])
  })
})
