import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

export interface Import {
  /** A path below `src/`, or the name of a package. */
  readonly from: string
  readonly isOwn: boolean
  readonly isDynamic: boolean
  readonly isType: boolean
}

export interface SourceFile {
  /** Below `src/`. */
  readonly path: string
  /** The top folder: `emulator`. */
  readonly wing: string
  /** The folder: `emulator/gates`. */
  readonly room: string
  /** The code without its comments, with the same lines. */
  readonly code: string
  readonly imports: readonly Import[]
}

const source = new URL('../../src/', import.meta.url).pathname

/** Every TypeScript file below `src/`. */
export function readSourceFiles(): readonly SourceFile[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(path => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
    .sort()
    .map(readSourceFile)
}

function readSourceFile(path: string): SourceFile {
  const text = readFileSync(join(source, path), 'utf8')
  const nodes = [...nodesIn(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }))]
  return {
    path,
    wing: path.split('/')[0] ?? '',
    room: dirname(path),
    code: withoutComments(text),
    imports: nodes.flatMap(node => importOf(node, path)),
  }
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* nodesIn(item)
  else if (typeof value === 'object' && value !== null) {
    if ('type' in value && typeof value.type === 'string') yield value as Node
    yield* nodesIn(Object.values(value))
  }
}

function importOf(node: Node, path: string): readonly Import[] {
  const named = node.source as { readonly value?: unknown } | null | undefined
  if (typeof named?.value !== 'string') return []
  const isOwn = named.value.startsWith('.')
  return [
    {
      from: isOwn ? join(dirname(path), named.value) : named.value,
      isOwn,
      isDynamic: node.type === 'ImportExpression',
      isType: node.importKind === 'type' || node.exportKind === 'type',
    },
  ]
}

function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, comment => comment.replace(/[^\n]/g, ''))
    .replace(/(^|\s)\/\/.*$/gm, '$1')
}
