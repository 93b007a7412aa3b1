import type { Database } from "../../src/postgres/connect.ts";

/**
 * Describes all that the database's own schema has, a line per thing: tables with their columns in order, constraints,
 * indexes in the order of their creation (the planner prefers newer ones), triggers, functions, statistics, sequences,
 * comments, privileges, and the rows that the service starts with.
 */
export async function describeSchema(database: Database): Promise<string[]> {
  const rows = await database<{ line: string }[]>`
    with relation as (
      select * from pg_class where relnamespace = 'public'::regnamespace and relkind <> 'i'
    )
    select format('relation %s: %s', relname, jsonb_build_array(relkind, relpersistence, reloptions, relacl,
      relrowsecurity, relreplident, pg_get_partkeydef(oid), pg_get_expr(relpartbound, oid))) as line
    from relation
    union all
    select format('column %s %s %s: %s', relname, row_number() over (partition by attrelid order by attnum), attname,
      jsonb_build_array(format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated, attcollation,
        attstorage, attcompression, attstattarget, attoptions, attacl, pg_get_expr(adbin, adrelid)))
    from relation join pg_attribute on attrelid = relation.oid and attnum > 0 and not attisdropped
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    union all
    select format('constraint %s %s: %s', relname, conname, jsonb_build_array(contype, convalidated,
      pg_get_constraintdef(pg_constraint.oid)))
    from relation join pg_constraint on conrelid = relation.oid
    union all
    select format('index %s %s: %s', relname, row_number() over (partition by indrelid order by indexrelid),
      jsonb_build_array(pg_get_indexdef(indexrelid), indisprimary, indisvalid, indisclustered))
    from relation join pg_index on indrelid = relation.oid
    union all
    select format('trigger %s %s: %s', relname, tgname, jsonb_build_array(pg_get_triggerdef(pg_trigger.oid), tgenabled))
    from relation join pg_trigger on tgrelid = relation.oid and not tgisinternal
    union all
    select format('view %s: %s', relname, pg_get_viewdef(oid)) from relation where relkind = 'v'
    union all
    select format('function %s: %s', oid::regprocedure, jsonb_build_array(pg_get_functiondef(oid), proacl))
    from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select format('statistics %s', pg_get_statisticsobjdef(oid))
    from pg_statistic_ext where stxnamespace = 'public'::regnamespace
    union all
    select format('sequence %s: %s', relname, jsonb_build_array(seqtypid::regtype, seqstart, seqincrement, seqmin, seqmax,
      seqcache, seqcycle))
    from relation join pg_sequence on seqrelid = oid
    union all
    select format('type %s', typname) from pg_type
    where typnamespace = 'public'::regnamespace and typtype <> 'c' and typcategory <> 'A'
    union all
    select format('comment on %s of %s: %s', objsubid, relname, description)
    from relation join pg_description on objoid = relation.oid
    union all
    select format('setting %s', jsonb_build_array(setrole, setconfig))
    from pg_db_role_setting join pg_database on pg_database.oid = setdatabase where datname = current_database()
    union all
    select format('row of event_clock: %s', jsonb_build_array(one, xid_offset)) from event_clock
    union all
    select format('row of shards: %s', jsonb_build_array(shard, token)) from shards`;
  return rows.map(({ line }) => line).sort();
}
