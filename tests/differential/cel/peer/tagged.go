package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"sort"
	"strconv"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

func double(d float64) string {
	switch {
	case math.IsNaN(d):
		return "NaN"
	case math.IsInf(d, 0):
		return fmt.Sprintf("%+v", d)
	}
	return strconv.FormatFloat(d, 'e', 17, 64)
}

func list(l traits.Lister) []any {
	out := []any{}
	for it := l.Iterator(); it.HasNext() == types.True; {
		out = append(out, tagged(it.Next()))
	}
	return out
}

// Pairs of keys and values, in the order of their texts.
func pairs(m traits.Mapper) []any {
	out := []any{}
	for it := m.Iterator(); it.HasNext() == types.True; {
		key := it.Next()
		out = append(out, []any{tagged(key), tagged(m.Get(key))})
	}
	sort.Slice(out, func(a, b int) bool { return text(out[a]) < text(out[b]) })
	return out
}

func text(v any) string {
	t, _ := json.Marshal(v)
	return string(t)
}

// A value with its type.
func tagged(v ref.Val) any {
	switch of := v.(type) {
	case types.Null:
		return map[string]any{"null": true}
	case types.Bool:
		return map[string]any{"bool": bool(of)}
	case types.Int:
		return map[string]any{"int": strconv.FormatInt(int64(of), 10)}
	case types.Uint:
		return map[string]any{"uint": strconv.FormatUint(uint64(of), 10)}
	case types.Double:
		return map[string]any{"double": double(float64(of))}
	case types.String:
		return map[string]any{"string": string(of)}
	case types.Bytes:
		return map[string]any{"bytes": base64.StdEncoding.EncodeToString(of)}
	case types.Timestamp:
		return map[string]any{"timestamp": of.Time.Format(time.RFC3339Nano)}
	case types.Duration:
		return map[string]any{"duration": strconv.FormatInt(int64(of.Duration), 10)}
	case *types.Optional:
		if !of.HasValue() {
			return map[string]any{"optional": nil}
		}
		return map[string]any{"optional": tagged(of.GetValue())}
	case *types.Type:
		return map[string]any{"type": of.TypeName()}
	case traits.Mapper:
		return map[string]any{"map": pairs(of)}
	case traits.Lister:
		return map[string]any{"list": list(of)}
	}
	return map[string]any{"object": v.Type().TypeName()}
}
