import { resolve } from 'node:path'
import type { ChunkingContext } from 'rolldown'

/**
 * The chunk of a module that `entry` needs at every start: a few files load faster than a hundred. The chunks are split
 * so that pages and the library load nothing of the command. Other modules are split by who imports them.
 */
export function createChunkOf(entry: string): (id: string, context: ChunkingContext) => string | null {
  const known = new Map<string, ReadonlySet<string>>()
  const isNeeded = (entry: string, id: string, context: ChunkingContext, withLate = false): boolean => {
    const name = `${entry} ${withLate}`
    const modules = known.get(name) ?? modulesOf(resolve(entry), context, withLate)
    known.set(name, modules)
    return modules.has(id)
  }
  return (id, context) => {
    if (id === resolve(entry) || !isNeeded(entry, id, context)) return null
    if (isNeeded('src/library/msw/entry.ts', id, context)) return 'emulator'
    // What pages load when they first need it.
    if (isNeeded('src/library/msw/entry.ts', id, context, true)) return 'control'
    return isNeeded('src/library/testing/entry.ts', id, context) ? 'server' : 'start'
  }
}

/** An entry and all that it imports, with or without dynamic imports. */
function modulesOf(entry: string, context: ChunkingContext, withLate: boolean): ReadonlySet<string> {
  const found = new Set([entry])
  for (const id of found) {
    const module = context.getModuleInfo(id)
    for (const imported of module?.importedIds ?? []) found.add(imported)
    if (withLate) for (const imported of module?.dynamicallyImportedIds ?? []) found.add(imported)
  }
  return found
}
