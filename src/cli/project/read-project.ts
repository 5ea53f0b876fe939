import { dirname, isAbsolute, join, relative } from 'node:path'
import { isObject } from '../../base/json/is-object.ts'
import { suggest } from '../../base/text/did-you-mean.ts'
import { type Document, refused } from '../../control/files/complaint.ts'
import { readDocument } from '../../control/files/document.ts'
import { type Path, showValue } from '../../control/files/show.ts'
import { readText } from '../../library/files/read-file.ts'
import type { Command } from '../arguments/command.ts'
import {
  type FlagReading,
  type Flags,
  type GivenTexts,
  type ProjectFlags,
  readTexts,
  right,
  variableOf,
  wrong,
} from '../arguments/flag.ts'
import { type Loading, loadText } from '../start/load/loading.ts'

/** Reads the project file for a command. `readers`: all commands that read the file. Every value in it is checked. */
export async function readProject(
  path: string,
  command: Command,
  readers: readonly Command[],
): Promise<ProjectFlags> {
  const file = relative(process.cwd(), path)
  const reading = await readFile(file)
  if (!reading.ok) return { file, texts: new Map(), complaints: reading.complaints }
  const document = reading.value
  if (document === undefined) return { file, texts: new Map(), complaints: [] }
  const texts = new Map<string, GivenTexts>()
  const complaints: string[] = []
  const all: Flags = Object.assign({}, ...readers.map(({ flags }) => flags).toReversed())
  const read = (map: object, path: Path, flags: Flags, isUsed: boolean) => {
    for (const [name, value] of Object.entries(map)) {
      const place = document.locate([...path, name], 'key')
      const source = `${file}:${place.line}:${place.column}: ${name}`
      const isSectionName = sections.has(name) && !Object.hasOwn(flags, name)
      const reading = isSectionName
        ? wrong(`: expected flags of pet-mock ${name} and their values, found ${showValue(value)}`)
        : readValue(name, value, flags, dirname(file))
      if (!reading.ok) complaints.push(...reading.problems.map(problem => source + problem))
      else if (isUsed) texts.set(name, { source, texts: reading.value })
    }
  }
  const sections = new Map(readers.map(reader => [reader.name, reader]))
  const entries = Object.entries(document.value ?? {})
  const isSection = ([name, value]: readonly [string, unknown]) => sections.has(name) && isObject(value)
  const own = Object.fromEntries(entries.filter(entry => !isSection(entry) && entry[0] !== '$schema'))
  read(own, [], all, true)
  for (const [name, map] of entries.filter(isSection))
    read(Object(map), [name], sections.get(name)?.flags ?? {}, name === command.name)
  for (const name of texts.keys()) if (!Object.hasOwn(command.flags, name)) texts.delete(name)
  return { file, texts, complaints }
}

/** The document of a file that is a map; undefined if nothing is in it but comments. */
function readFile(file: string): Promise<Loading<Document | undefined>> {
  return loadText<Document | undefined>(file, readText(file), async text => {
    if (text.trim() === '') return { ok: true, value: undefined }
    const reading = await readDocument(file, text)
    if (!reading.ok || isObject(reading.value.value)) return reading
    const { value, locate } = reading.value
    if (value === null) return { ok: true, value: undefined }
    const message = `expected flags and their values, such as port: 7400, found ${showValue(value)}`
    return refused({ file, ...locate([], 'value'), message })
  })
}

/** The texts of one flag as the command line would have them, or the problems, which its name precedes. */
function readValue(
  name: string,
  value: unknown,
  flags: Flags,
  directory: string,
): FlagReading<readonly string[]> {
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined
  if (flag === undefined) return wrong(`: unknown flag${suggestFlag(name, flags)}`)
  if (flag.notInProject !== undefined) return wrong(`: ${flag.notInProject}`)
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  const other = items.find(item => typeof item === 'object' && item !== null)
  if (other !== undefined)
    return wrong(`: expected ${flag.value || 'true or false'}, found ${showValue(other)}`)
  const texts = items.map(item => {
    const text = item === null ? '' : `${item}`
    // Paths are relative to the file.
    return text.trim() !== '' && flag.isPath?.(text) && !isAbsolute(text) ? join(directory, text) : text
  })
  const reading = readTexts(flag, texts)
  return reading.ok ? right(texts) : reading
}

/** Also for what the flag is called elsewhere: `--port`, `allowedHosts`, `PET_MOCK_PORT` and `p`. */
function suggestFlag(name: string, flags: Flags): string {
  const entries = Object.entries(flags)
  const [same] = entries.find(([own, flag]) => name === flag.alias || name === variableOf(own, flag)) ?? []
  if (same !== undefined) return `; did you mean ${same}?`
  const dashed = name
    .replace(/^-+/, '')
    .replaceAll('_', '-')
    .replace(/(?<=[a-z])(?=[A-Z])/g, '-')
    .toLowerCase()
  const refused = Object.hasOwn(flags, dashed) ? flags[dashed]?.notInProject : undefined
  if (refused !== undefined) return `; ${refused}`
  return suggest(dashed, Object.keys(flags)) || '; pet-mock --help lists all flags'
}
