import { readFile, writeFile } from 'node:fs/promises'

const benchCommand = 'npm run bench -- --write'
const end = '<!-- The end of the newest run -->'

/** Puts a text between the page's marks. Throws when they are not there. */
export async function writePage(path: string, text: string, command = benchCommand): Promise<void> {
  const page = await readFile(path, 'utf8')
  const { from, to } = marksOf(page, path, command)
  await writeFile(path, `${page.slice(0, from)}\n\n${text.trim()}\n\n${page.slice(to)}`)
}

/** What the newest run wrote between the marks of a page. */
export async function readNewestRun(path: string, command = benchCommand): Promise<string> {
  const page = await readFile(path, 'utf8')
  const { from, to } = marksOf(page, path, command)
  return page.slice(from, to)
}

function marksOf(page: string, path: string, command: string) {
  const begin = `<!-- The newest run: written by \`${command}\` -->`
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from === -1 || to < from) throw new Error(`${path} lacks the marks ${begin} and ${end}`)
  return { from: from + begin.length, to }
}
