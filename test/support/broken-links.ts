import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'

/** The links of Markdown files below `root` that lead to no file there, to none of `files`, or to no heading. */
export function brokenLinks(root: string, files: readonly string[]): readonly string[] {
  return files
    .filter(file => file.endsWith('.md') || file.endsWith('.txt'))
    .flatMap(file =>
      linksOf(readFileSync(join(root, file), 'utf8')).flatMap(link => {
        const problem = problemOf(root, files, file, link)
        return problem === undefined ? [] : [`${file}: ${link} ${problem}`]
      }),
    )
}

/** The targets of the links and pictures of a page, without those in code. */
export function linksOf(markdown: string): readonly string[] {
  return [...withoutCode(markdown).matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g)].map(([, target = '']) => target)
}

function problemOf(root: string, files: readonly string[], from: string, link: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return undefined
  const [path = '', heading] = link.split('#')
  // GitHub and VitePress read a path that begins with / from the root.
  const folderOf = path.startsWith('/') ? '' : dirname(from)
  const file = path === '' ? from : relative(root, normalize(join(root, folderOf, decodeURI(path))))
  if (!existsSync(join(root, file))) return 'leads to no file'
  const folder = statSync(join(root, file)).isDirectory()
  if (!files.some(known => known === file || (folder && known.startsWith(`${file}/`))))
    return 'leads to a file that is not part of this'
  if (heading === undefined || folder) return undefined
  return headingsOf(readFileSync(join(root, file), 'utf8')).has(heading) ? undefined : 'leads to no heading'
}

/** The anchors that GitHub gives to the headings of a page. */
function headingsOf(markdown: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const [, title = ''] of withoutCode(markdown, 'keep').matchAll(/^#{1,6} (.*)$/gm)) {
    const slug = title
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-')
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

function withoutCode(markdown: string, inline?: 'keep'): string {
  const text = markdown.replace(/^(```+)[\s\S]*?^\1$/gm, '')
  return inline === 'keep' ? text : text.replace(/(`+)(?:(?!\1)[\s\S])*?\1/g, '')
}
