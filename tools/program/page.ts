import { readFile, writeFile } from 'node:fs/promises'

/** What stands around a part of a page that a tool writes. */
type Marks = readonly [begin: string, end: string]

/** The page with another text between its marks. Throws when they are not there. */
export function putBetween(page: string, marks: Marks, text: string): string {
  const [before, , after] = cutAt(page, marks)
  return `${before}\n\n${text.trim()}\n\n${after}`
}

function cutAt(page: string, [begin, end]: Marks): readonly [string, string, string] {
  const from = page.indexOf(begin) + begin.length
  const to = page.indexOf(end, from)
  if (!page.includes(begin) || to === -1) throw new Error(`The page lacks the marks ${begin} and ${end}`)
  return [page.slice(0, from), page.slice(from, to), page.slice(to)]
}

const newestRun = (tool: string): Marks => [
  `<!-- The newest run: written by \`npm run ${tool} -- --write\` -->`,
  '<!-- The end of the newest run -->',
]

export async function writeRun(path: string, tool: string, text: string): Promise<void> {
  await writeFile(path, putBetween(await readFile(path, 'utf8'), newestRun(tool), text))
}

export async function readRun(path: string, tool: string): Promise<string> {
  return cutAt(await readFile(path, 'utf8'), newestRun(tool))[1]
}
