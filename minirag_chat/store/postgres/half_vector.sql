-- The vector of a chunk as pgvector takes it: stored are numbers of 16 bits, the lower byte first.
CREATE OR REPLACE FUNCTION half_vector(stored BYTEA) RETURNS halfvec
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
RETURN (
  SELECT array_agg(
    CASE WHEN bits & 32768 = 0 THEN 1 ELSE -1 END
    * CASE WHEN bits & 31744 = 0 THEN (bits & 1023) * power(2::float8, -24)
           ELSE (1024 + (bits & 1023)) * power(2::float8, ((bits >> 10) & 31) - 25) END
    ORDER BY place)::real[]::halfvec
  FROM (
    SELECT place, get_byte(stored, 2 * place) | (get_byte(stored, 2 * place + 1) << 8) AS bits
    FROM generate_series(0, length(stored) / 2 - 1) AS place
  ) AS halves
);
