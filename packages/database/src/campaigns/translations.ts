/* SQL of the names of campaigns in other languages. */

/** The translations of a campaign with the names alone; `campaign` is the alias of its table. */
export const translatedNames = (campaign: string): string => `(
    select coalesce(json_object_agg(key, json_build_object('name', value -> 'name')), '{}')
    from jsonb_each(${campaign}.translations) where value ->> 'name' is not null
  )`;

/** The name of a campaign in a language, an expression; else the name that it has. */
export const nameIn = (language: string, campaign: string): string =>
  `coalesce(${campaign}.translations -> (${language}) ->> 'name', ${campaign}.name)`;
