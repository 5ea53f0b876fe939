import { readFile, writeFile } from 'node:fs/promises'

const end = '<!-- The end of the newest run -->'

/** Puts a report between the page's marks. Throws when they are not there. */
export async function writePage(
  path: string,
  report: string,
  command = 'npm run bench -- --write',
): Promise<void> {
  const begin = `<!-- The newest run: written by \`${command}\` -->`
  const page = await readFile(path, 'utf8')
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from === -1 || to < from) throw new Error(`${path} lacks the marks ${begin} and ${end}`)
  await writeFile(path, `${page.slice(0, from + begin.length)}\n\n${report}\n${page.slice(to)}`)
}
