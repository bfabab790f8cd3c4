#include "controller/report/units.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace dslap {
namespace {

TEST(UnitsTest, DurationHasThreeDigitsAndAFittingUnit) {
  EXPECT_EQ(FormatDuration(0), "0 ns");
  EXPECT_EQ(FormatDuration(1), "1 ns");
  EXPECT_EQ(FormatDuration(850), "850 ns");
  EXPECT_EQ(FormatDuration(1'234), "1.23 us");
  EXPECT_EQ(FormatDuration(12'345), "12.3 us");
  EXPECT_EQ(FormatDuration(4'810'000), "4.81 ms");
  EXPECT_EQ(FormatDuration(181'400'000), "181 ms");
  EXPECT_EQ(FormatDuration(1.5e9), "1.50 s");
  EXPECT_EQ(FormatDuration(61.24e9), "61.2 s");
  EXPECT_EQ(FormatDuration(3600e9), "3600 s");
}

// Rounding up must not leave "1000 us" or "10.00 ms".
TEST(UnitsTest, DurationCarriesIntoTheNextUnit) {
  EXPECT_EQ(FormatDuration(999.4), "999 ns");
  EXPECT_EQ(FormatDuration(999.6), "1.00 us");
  EXPECT_EQ(FormatDuration(999'499), "999 us");
  EXPECT_EQ(FormatDuration(999'500), "1.00 ms");
  EXPECT_EQ(FormatDuration(999'600'000), "1.00 s");
  EXPECT_EQ(FormatDuration(9'994'000), "9.99 ms");
  EXPECT_EQ(FormatDuration(9'996'000), "10.0 ms");
  EXPECT_EQ(FormatDuration(99'960'000), "100 ms");
}

TEST(UnitsTest, Rate) {
  EXPECT_EQ(FormatRate(0), "0.00");
  EXPECT_EQ(FormatRate(4.267), "4.27");
  EXPECT_EQ(FormatRate(99.99), "99.99");
  EXPECT_EQ(FormatRate(99.999), "100.0");
  EXPECT_EQ(FormatRate(9345.84), "9345.8");
}

TEST(UnitsTest, Bytes) {
  EXPECT_EQ(FormatBytes(0), "0 B");
  EXPECT_EQ(FormatBytes(1023), "1023 B");
  EXPECT_EQ(FormatBytes(1024), "1.0 KiB");
  EXPECT_EQ(FormatBytes(512U << 20), "512 MiB");
  EXPECT_EQ(FormatBytes((uint64_t{1} << 30) - 1), "1.0 GiB");
  EXPECT_EQ(FormatBytes(8'375'186'227), "7.8 GiB");
  EXPECT_EQ(FormatBytes(uint64_t{256} << 30), "256 GiB");
  EXPECT_EQ(FormatBytes(UINT64_MAX), "16.0 EiB");
}

TEST(UnitsTest, Percent) {
  EXPECT_EQ(FormatPercent(0), "0%");
  EXPECT_EQ(FormatPercent(0.004), "0.4%");
  EXPECT_EQ(FormatPercent(0.0994), "9.9%");
  EXPECT_EQ(FormatPercent(0.0996), "10%");
  EXPECT_EQ(FormatPercent(0.118), "12%");
  EXPECT_EQ(FormatPercent(1), "100%");
}

TEST(UnitsTest, CountKnowsOneFromMany) {
  EXPECT_EQ(Count(0, "client"), "0 clients");
  EXPECT_EQ(Count(1, "client"), "1 client");
  EXPECT_EQ(Count(50, "client"), "50 clients");
}

}  // namespace
}  // namespace dslap
