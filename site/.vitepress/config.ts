import { readFileSync } from 'node:fs'
import { env } from 'node:process'
import { fileURLToPath } from 'node:url'
import { defineConfig, type MarkdownRenderer } from 'vitepress'
import { copyDashboard, makeRelative, placeholder } from '../build/after-build.ts'
import { commandLine } from '../build/command-line.ts'

const here = fileURLToPath(import.meta.url)
const root = fileURLToPath(new URL('../..', import.meta.url))

const icon = readFileSync(`${root}src/dashboard/design/paw.svg`, 'utf8')

/** The address of the files of this version, which the workflow of the site sets. Without it, a link to a file is text. */
const source = env.SITE_SOURCE

/** VitePress would read `{{ }}` in code as an expression. */
function keepBraces({ renderer }: MarkdownRenderer): void {
  const { code_inline: inline } = renderer.rules
  renderer.rules.code_inline = (...token) => (inline?.(...token) ?? '').replace('<code', '<code v-pre')
}

/** Lets links to files that are no pages of the site lead to the source. Links do not nest. */
function linkFiles({ core }: MarkdownRenderer): void {
  core.ruler.push('link-files', ({ tokens, env: { relativePath } }) => {
    let hasPage = true
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === 'link_open') {
        const href = token.attrGet('href') ?? ''
        const { protocol, pathname } = new URL(href, `file:///${relativePath}`)
        hasPage = protocol !== 'file:' || /^\/docs\/[\w-]+\.md$/.test(pathname)
        if (!hasPage && source !== undefined) token.attrSet('href', source + pathname)
        else if (!hasPage) token.attrs = []
      }
      if (!hasPage && source === undefined && /^link_/.test(token.type)) token.tag = 'span'
    }
  })
}

/** The pages of the site in their groups, as llms.txt lists them. */
function readPages() {
  const text = readFileSync(`${root}llms.txt`, 'utf8')
  return text
    .split(/^## /m)
    .slice(1)
    .map(section => {
      const [title = ''] = section.split('\n')
      const items = [...section.matchAll(/^- \[([^\]]+)\]\(docs\/([\w-]+)\.md\)/gm)]
      return {
        text: title,
        items: items.map(([, text = '', page = '']) => ({ text, link: `/docs/${page}` })),
      }
    })
    .filter(({ items }) => items.length > 0)
}

export default defineConfig({
  title: 'pet-mock',
  description: JSON.parse(readFileSync(`${root}package.json`, 'utf8')).description,
  srcDir: root,
  srcExclude: ['*.md', '{.*,dist,examples,fixtures,scenarios,schemas,skills,src,test,tools}/**', 'docs/*/**'],
  rewrites: { 'site/index.md': 'index.md' },
  outDir: 'dist',
  base: placeholder,
  // A relative address would follow the reader to other pages.
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: renderer => {
      keepBraces(renderer)
      linkFiles(renderer)
    },
  },
  themeConfig: {
    search: {
      provider: 'local',
      // An eighth of the index would be words that nobody looks for, and a list of words that other pages explain.
      options: {
        _render: (text, env, markdown) =>
          markdown.render(
            text.replace(/<!-- The public words[\s\S]*<!-- End of the public words. -->/, ''),
            env,
          ),
        miniSearch: {
          options: {
            processTerm: term =>
              /^(?:.{1,2}|.{16,}|\d{4,}|\d+m?s|and|are|for|the|with)$/.test(term) ? null : term.toLowerCase(),
          },
        },
      },
    },
    outline: [2, 3],
    sidebar: readPages(),
    nav: [{ text: 'Docs', link: '/docs/first-test' }],
  },
  vite: {
    build: { target: 'es2022' },
    plugins: [
      commandLine,
      {
        name: 'one-of-each',
        enforce: 'pre',
        // Pages of docs/ are outside of the folder that has Vue, and that folder has another Preact than the dashboard.
        resolveId(name, _from, { ssr }) {
          if (/^preact(?:\/|$)/.test(name))
            return this.resolve(name, `${root}package.json`, { skipSelf: true })
          if (!/^vue(?:\/|$)/.test(name)) return null
          return ssr ? { id: name, external: true } : this.resolve(name, here, { skipSelf: true })
        },
      },
    ],
  },
  buildEnd: ({ outDir }) => {
    makeRelative(outDir)
    copyDashboard(`${root}dist/dashboard`, `${outDir}/dashboard`)
  },
})
