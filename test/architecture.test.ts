import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

/** The rooms by floor: a file imports from its own room, from lower floors, and from rooms of its floor without a circle. */
const floors: readonly (readonly string[])[] = [
  ['call', 'time', 'random', 'json', 'files', 'report'],
  ['pets', 'orders', 'plans', 'keys', 'limits', 'bans', 'deprecation', 'rules', 'journal', 'metrics'],
  ['emulator', 'snapshot', 'change', 'fixtures', 'generated'],
  ['scenario', 'walkthrough', 'inspection', 'conduct'],
  ['admin'],
  ['disk', 'server', 'fetch', 'testing', 'msw', 'contract', 'conformance', 'proxy'],
  ['cli'],
]
const inBrowsers = floors.slice(0, 5).flat()
const source = new URL('../src/', import.meta.url).pathname

interface SourceFile {
  readonly path: string
  readonly room: string
  readonly text: string
  /** What it imports when it is loaded, and what it imports later. */
  readonly imports: readonly {
    readonly from: string
    readonly isDynamic: boolean
    readonly isType: boolean
  }[]
}

const files: SourceFile[] = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.ts') && !path.endsWith('.d.ts'))
  .map(path => {
    const text = withoutComments(readFileSync(join(source, path), 'utf8'))
    const imports = [
      ...text.matchAll(
        /^(?:import|export)\s(type\s)?[^'"]*?from\s+'([^']+)'|^import '([^']+)'|import\('([^']+)'\)/gms,
      ),
    ]
    return {
      path,
      room: dirname(path),
      text,
      imports: imports.map(([, isType, named, bare, dynamic]) => ({
        from: named ?? bare ?? dynamic ?? '',
        isDynamic: dynamic !== undefined,
        isType: isType !== undefined,
      })),
    }
  })

/** Prose may say what code may not. */
function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, comment => comment.replace(/[^\n]/g, ''))
    .replace(/(^|\s)\/\/.*$/gm, '$1')
}

const floorOf = (room: string) => floors.findIndex(rooms => rooms.includes(room))
const roomOf = (file: SourceFile, from: string) => dirname(relative(source, join(source, file.room, from)))

/** `file: what is wrong`, for every file for which a check says something. */
function complaints(check: (file: SourceFile) => readonly string[]): string[] {
  return files.flatMap(file => check(file).map(complaint => `src/${file.path}: ${complaint}`))
}

test('every file is in a room, and every room on a floor', () => {
  expect(files.length).toBeGreaterThan(40)
  expect(
    complaints(file => (floorOf(file.room) === -1 ? [`the room "${file.room}" is on no floor`] : [])),
  ).toEqual([])
})

test('a file imports from its own room, its own floor and lower floors', () => {
  const upward = complaints(file =>
    file.imports
      .filter(({ from }) => from.startsWith('.') && !from.endsWith('.json'))
      .filter(
        ({ from }) => floorOf(roomOf(file, from)) > floorOf(file.room) || floorOf(roomOf(file, from)) === -1,
      )
      .map(({ from }) => `imports ${from}, which is above it`),
  )
  expect(upward).toEqual([])
})

test('rooms of one floor do not import each other in a circle', () => {
  const neighbours = new Map<string, Set<string>>()
  for (const file of files) {
    for (const { from, isType } of file.imports.filter(({ from }) => from.startsWith('.'))) {
      const room = roomOf(file, from)
      if (isType || room === file.room || floorOf(room) !== floorOf(file.room)) continue
      neighbours.set(file.room, (neighbours.get(file.room) ?? new Set()).add(room))
    }
  }
  const circles: string[] = []
  const visit = (room: string, way: readonly string[]) => {
    if (way.includes(room)) circles.push([...way, room].join(' -> '))
    else for (const next of neighbours.get(room) ?? []) visit(next, [...way, room])
  }
  for (const room of neighbours.keys()) visit(room, [])
  expect(circles).toEqual([])
})

test('floors 1 to 5 import nothing that a browser does not have', () => {
  const allowed = /^(?:\.|yaml$|zod$|hono\/)/
  const foreign = complaints(file =>
    inBrowsers.includes(file.room)
      ? file.imports.filter(({ from }) => !allowed.test(from)).map(({ from }) => `imports ${from}`)
      : [],
  )
  expect(foreign).toEqual([])
})

test('below the doors nobody reads real time, draws unseeded chance or sets a timer', () => {
  const forbidden =
    /\b(?:Date\.now|performance\.now|new Date\(\)|Math\.random|crypto\.|setTimeout|setInterval|setImmediate|queueMicrotask|process\.)/g
  const found = complaints(file =>
    inBrowsers.includes(file.room) && file.room !== 'generated'
      ? [...file.text.matchAll(forbidden)].map(([word]) => word)
      : [],
  )
  expect(found).toEqual([])
})

test('no state at module level', () => {
  const found = complaints(file => {
    if (file.room === 'generated') return []
    const variables = [...file.text.matchAll(/^(?:export )?(?:let|var) .*/gm)].map(([line]) => line)
    const collections = [
      ...file.text.matchAll(/^(?:export )?const .*= (?:new (?:Map|Set|WeakMap)|\[\]$|\{\}$).*/gm),
    ]
      .map(([line]) => line)
      .filter(line => !/: Readonly(?:Map|Set)</.test(line))
    return [...variables, ...collections]
  })
  expect(found).toEqual([])
})

test('heavy libraries are loaded when first needed: no way of plain imports leads to them from the command', () => {
  const heavy = new Set([
    'yaml',
    'zod',
    'zod/mini',
    'hono/tiny',
    '@stoplight/prism-http',
    '@msw/data',
    'fast-check',
  ])
  const byPath = new Map(files.map(file => [file.path, file]))
  const seen = new Set<string>()
  const found: string[] = []
  const visit = (path: string) => {
    const file = byPath.get(path)
    if (file === undefined || seen.has(path)) return
    seen.add(path)
    for (const { from, isDynamic, isType } of file.imports) {
      if (isDynamic || isType) continue
      if (heavy.has(from)) found.push(`src/${path} imports ${from}`)
      if (from.startsWith('.')) visit(join(dirname(path), from))
    }
  }
  visit('cli/main.ts')
  expect(seen.size).toBeGreaterThan(20)
  expect(found).toEqual([])
})

test('no rooms without a name of their own, no barrels, no loose types', () => {
  const found = complaints(file => [
    ...(/(?:^|\/)(?:utils?|helpers?|common|misc|shared|index)(?:\.|\/|$)/.test(file.path)
      ? ['its name says nothing']
      : []),
    ...[...file.text.matchAll(/(?:: any\b|<any>|\bas any\b|@ts-ignore|@ts-expect-error|biome-ignore)/g)].map(
      ([word]) => word,
    ),
    ...(file.text.split('\n').length > 200 && file.room !== 'generated'
      ? ['it is longer than 200 lines']
      : []),
  ])
  expect(found).toEqual([])
})
