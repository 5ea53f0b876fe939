/** An element of an XML document. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  readonly text: string
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** Reads the XML that pet-mock writes: tags, attributes in double quotes, texts and five entities. Throws at anything else. */
export function readXml(document: string): XmlElement {
  let at = 0
  const take = (pattern: RegExp) => {
    const sticky = new RegExp(pattern.source, 'uy')
    sticky.lastIndex = at
    const found = sticky.exec(document)
    if (found !== null) at = sticky.lastIndex
    return found
  }
  const fail = (): never => {
    throw new Error(`No XML at ${at}: ${document.slice(at, at + 80)}`)
  }
  const plain = (text: string) =>
    text.replace(/&([^;]*);?/g, (_all, name: string) => entities[name] ?? fail())
  const element = (): XmlElement => {
    const name = take(/<([a-z-]+)/)?.[1] ?? fail()
    const attributes: Record<string, string> = {}
    for (let found = take(/ ([a-z]+)="([^"<]*)"/); found !== null; found = take(/ ([a-z]+)="([^"<]*)"/)) {
      if (Object.hasOwn(attributes, found[1] ?? '')) fail()
      attributes[found[1] ?? ''] = plain(found[2] ?? '')
    }
    if (take(/\/>/) !== null) return { name, attributes, children: [], text: '' }
    if (take(/>/) === null) fail()
    const children: XmlElement[] = []
    let text = ''
    while (take(new RegExp(`</${name}>`)) === null) {
      const words = take(/[^<]+/)
      if (words === null) children.push(element())
      else text += plain(words[0])
    }
    return { name, attributes, children, text }
  }
  if (/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.test(document)) fail()
  if (take(/<\?xml version="1\.0" encoding="UTF-8"\?>\n/) === null) fail()
  const root = element()
  if (document.slice(at) !== '\n') fail()
  return root
}
