import { type Contradiction, compareSchemas, type Side } from './compare-schemas.ts'
import { below, follow, itemsOf, type Spot } from './description-node.ts'

/** `shared`: those of their path, for all its operations. What the emulator only assumes may be lacking. */
export function compareParameters(
  theirs: Side,
  ours: Side,
  shared: readonly Spot[],
): readonly Contradiction[] {
  const read = ({ spot, files }: Side, further: readonly Spot[]) =>
    [...further, ...itemsOf(below(spot, 'parameters'))].flatMap(item => follow(item, files) ?? [])
  // By which name a path calls its parameter makes no difference.
  const keyOf = (spot: Spot) => {
    const place = below(spot, 'in').value
    return place === 'path' ? 'path' : `${place} ${below(spot, 'name').value}`
  }
  const their = new Map(read(theirs, shared).map(spot => [keyOf(spot), spot]))
  const our = new Map(read(ours, []).map(spot => [keyOf(spot), spot]))
  const isHeeded = (key: string) =>
    our.has(key) || /^header (?:authorization|accept|content-type)$/i.test(key)
  const nameOf = (spot: Spot) => `${below(spot, 'name').value}`
  return [
    ...[...their]
      .filter(([key]) => !isHeeded(key))
      .map(([, spot]) => ({
        spot,
        message: `the emulator does not know the parameter ${nameOf(spot)}, and ignores it`,
      })),
    ...[...our].flatMap(([key, spot]) => {
      const twin = their.get(key)
      const isAssumed = below(spot, 'x-assumption').value !== undefined
      if (twin === undefined)
        return isAssumed
          ? []
          : [
              {
                spot: theirs.spot,
                message: `the parameter ${nameOf(spot)} is not here; the emulator heeds it`,
              },
            ]
      const isDemanded = below(twin, 'required').value === true && below(spot, 'required').value !== true
      return [
        ...(isDemanded
          ? [
              {
                spot: twin,
                message: `the parameter ${nameOf(spot)} is required here; the emulator does without`,
              },
            ]
          : []),
        ...compareSchemas(
          { ...theirs, spot: below(twin, 'schema') },
          { ...ours, spot: below(spot, 'schema') },
          nameOf(spot),
          'sent',
        ),
      ]
    }),
  ]
}
