# The three names on standard input that are nearest to `wanted`, nearest first, one a line.
#   ls | awk -v wanted=loked-x3 -f nearest.awk
function smaller(a, b) { return a < b ? a : b }
function distance(a, b,    i, j, above, left, corner) {
    for (j = 0; j <= length(b); j++) row[j] = j
    for (i = 1; i <= length(a); i++) {
        corner = row[0]; row[0] = i
        for (j = 1; j <= length(b); j++) {
            above = row[j]
            row[j] = smaller(corner + (substr(a, i, 1) != substr(b, j, 1)), 1 + smaller(above, row[j - 1]))
            corner = above
        }
    }
    return row[length(b)]
}
{ names[NR] = $0; far[NR] = distance(wanted, $0) }
END {
    for (i = 2; i <= NR; i++) {
        for (j = i; j > 1 && far[j - 1] > far[j]; j--) {
            name = names[j]; names[j] = names[j - 1]; names[j - 1] = name
            n = far[j]; far[j] = far[j - 1]; far[j - 1] = n
        }
    }
    for (i = 1; i <= NR && i <= 3; i++) print names[i]
}
