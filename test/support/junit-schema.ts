import type { XmlElement } from './read-xml.ts'

/** What Jenkins' junit-10.xsd says of each element: its children, and its attributes with `!` behind those it must have. */
const rules: Readonly<Record<string, { children: readonly string[]; attributes: readonly string[] }>> = {
  testsuites: { children: ['testsuite'], attributes: ['name', 'time', 'tests', 'failures', 'errors'] },
  testsuite: {
    children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
    attributes: [
      ...['name!', 'tests!', 'failures!', 'errors!', 'group', 'time', 'skipped', 'timestamp', 'hostname'],
      ...['id', 'package', 'file', 'log', 'url'],
    ],
  },
  testcase: {
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
    attributes: ['name!', 'time', 'classname', 'group'],
  },
  skipped: { children: [], attributes: ['type', 'message'] },
  failure: { children: [], attributes: ['type', 'message'] },
  'system-out': { children: [], attributes: [] },
}

/** SUREFIRE_TIME of that schema. */
const time = /^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?$/

/** Where an element breaks that schema. */
export function junitBreaches({ name, attributes, children, text }: XmlElement): readonly string[] {
  const rule = rules[name]
  if (rule === undefined) return [`${name} is no element`]
  const known = rule.attributes.map(attribute => attribute.replace('!', ''))
  const needed = rule.attributes.filter(attribute => attribute.endsWith('!')).map(text => text.slice(0, -1))
  const isMixed = name === 'failure' || name === 'system-out'
  return [
    ...Object.keys(attributes).flatMap(has => (known.includes(has) ? [] : [`${name} has ${has}`])),
    ...needed.flatMap(must => (Object.hasOwn(attributes, must) ? [] : [`${name} has no ${must}`])),
    ...['tests', 'failures', 'errors', 'skipped'].flatMap(count =>
      /^[0-9]+$/.test(attributes[count] ?? '0') ? [] : [`${count} of ${name} is not a number`],
    ),
    ...(time.test(attributes.time ?? '0') ? [] : [`the time of ${name}`]),
    ...(isMixed || text.trim() === '' ? [] : [`${name} has text`]),
    ...children.flatMap(child =>
      rule.children.includes(child.name) ? junitBreaches(child) : [`${child.name} in ${name}`],
    ),
  ]
}
