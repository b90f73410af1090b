/* The devices that pages can be shown as: those of @playwright/mcp, with its names. */
#include <string.h>

#include "page/emulate.h"

#define CHROME "Chrome/155.0.0.0"
#define SAFARI " AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.6 Mobile/15E148 Safari/604.1"
#define IPHONE(os) "Mozilla/5.0 (iPhone; CPU iPhone OS " os " like Mac OS X)" SAFARI
#define IPHONE_11 \
	"Mozilla/5.0 (iPhone; CPU iPhone OS 11_0 like Mac OS X) AppleWebKit/604.1.38 (KHTML, like Gecko) Version/26.6 Mobile/15A372 " \
	"Safari/604.1"
#define IPAD(os) "Mozilla/5.0 (iPad; CPU OS " os " like Mac OS X)" SAFARI
#define ANDROID(device) \
	"Mozilla/5.0 (Linux; Android " device ") AppleWebKit/537.36 (KHTML, like Gecko) " CHROME " Mobile Safari/537.36"
#define DESKTOP(system) "Mozilla/5.0 (" system ") AppleWebKit/537.36 (KHTML, like Gecko) " CHROME " Safari/537.36"
#define FIREFOX "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:156.0) Gecko/20100101 Firefox/156.0"

/*
 * A device that can be turned: `across` and `down` are what its browser shows of the page then. The screen that pages see turns with it,
 * or stays upright.
 */
#define TURNING(name, user_agent, width, height, screen_width, screen_height, scale, across, down) \
	{ name, user_agent, width, height, screen_width, screen_height, scale, true }, \
	{ \
		name " landscape", user_agent, across, down, screen_height, screen_width, scale, true \
	}
#define UPRIGHT(name, user_agent, width, height, screen_width, screen_height, scale, across, down) \
	{ name, user_agent, width, height, screen_width, screen_height, scale, true }, \
	{ \
		name " landscape", user_agent, across, down, screen_width, screen_height, scale, true \
	}

static const struct device device_table[] = {
	TURNING("Blackberry PlayBook",
		"Mozilla/5.0 (PlayBook; U; RIM Tablet OS 2.1.0; en-US) AppleWebKit/536.2+ (KHTML like Gecko) Version/26.6 Safari/536.2+",
		600, 1024, 600, 1024, 1, 1024, 600),
	TURNING("BlackBerry Z30",
		"Mozilla/5.0 (BB10; Touch) AppleWebKit/537.10+ (KHTML, like Gecko) Version/26.6 Mobile Safari/537.10+", 360, 640,
		360, 640, 2, 640, 360),
	TURNING("Galaxy Note 3",
		"Mozilla/5.0 (Linux; U; Android 4.3; en-us; SM-N900T Build/JSS15J) AppleWebKit/534.30 (KHTML, like Gecko) Version/26.6 Mobile Safari/534.30",
		360, 640, 360, 640, 3, 640, 360),
	TURNING("Galaxy Note II",
		"Mozilla/5.0 (Linux; U; Android 4.1; en-us; GT-N7100 Build/JRO03C) AppleWebKit/534.30 (KHTML, like Gecko) Version/26.6 Mobile Safari/534.30",
		360, 640, 360, 640, 2, 640, 360),
	TURNING("Galaxy S III",
		"Mozilla/5.0 (Linux; U; Android 4.0; en-us; GT-I9300 Build/IMM76D) AppleWebKit/534.30 (KHTML, like Gecko) Version/26.6 Mobile Safari/534.30",
		360, 640, 360, 640, 2, 640, 360),
	TURNING("Galaxy S5", ANDROID("5.0; SM-G900P Build/LRX21T"), 360, 640, 360, 640, 3, 640, 360),
	TURNING("Galaxy S8", ANDROID("7.0; SM-G950U Build/NRD90M"), 360, 740, 360, 740, 3, 740, 360),
	TURNING("Galaxy S9+", ANDROID("8.0.0; SM-G965U Build/R16NW"), 320, 658, 320, 658, 4.5, 658, 320),
	TURNING("Galaxy S24", ANDROID("14; SM-S921U"), 360, 780, 360, 780, 3, 780, 360),
	TURNING("Galaxy A55", ANDROID("14; SM-A556B"), 480, 1040, 480, 1040, 2.25, 1040, 480),
	TURNING("Galaxy Tab S4", DESKTOP("Linux; Android 8.1.0; SM-T837A"), 712, 1138, 712, 1138, 2.25, 1138, 712),
	TURNING("Galaxy Tab S9", DESKTOP("Linux; Android 14; SM-X710"), 640, 1024, 640, 1024, 2.5, 1024, 640),
	TURNING("Galaxy Z Fold 6", ANDROID("10; SM-F956U"), 928, 1004, 928, 1080, 2, 1028, 876),
	TURNING("Galaxy Z Fold 6 Cover", ANDROID("10; SM-F956U"), 484, 1112, 484, 1188, 2, 1136, 432),
	TURNING("Galaxy Z Fold 7", ANDROID("10; SM-F966U"), 984, 1016, 984, 1092, 2, 1040, 932),
	TURNING("Galaxy Z Fold 7 Cover", ANDROID("10; SM-F966U"), 360, 764, 360, 840, 3, 788, 308),
	TURNING("Galaxy Z Flip 6", ANDROID("10; SM-F741U"), 360, 804, 360, 880, 3, 828, 308),
	TURNING("Galaxy Z Flip 6 Cover", ANDROID("10; SM-F741U"), 360, 298, 360, 374, 2, 322, 308),
	TURNING("Galaxy Z Flip 7", ANDROID("10; SM-F761U"), 360, 764, 360, 840, 3, 788, 308),
	TURNING("Galaxy Z Flip 7 Cover", ANDROID("10; SM-F761U"), 474, 448, 474, 524, 2, 472, 422),
	TURNING("iPad (gen 5)", IPAD("12_2"), 768, 1024, 768, 1024, 2, 1024, 768),
	TURNING("iPad (gen 6)", IPAD("12_2"), 768, 1024, 768, 1024, 2, 1024, 768),
	TURNING("iPad (gen 7)", IPAD("12_2"), 810, 1080, 810, 1080, 2, 1080, 810),
	TURNING("iPad (gen 11)",
		"Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.6 Mobile/19E241 Safari/604.1",
		656, 944, 656, 944, 2.5, 944, 656),
	TURNING("iPad Mini", IPAD("12_2"), 768, 1024, 768, 1024, 2, 1024, 768),
	TURNING("iPad Pro 11", IPAD("12_2"), 834, 1194, 834, 1194, 2, 1194, 834),
	TURNING("iPhone 6", IPHONE_11, 375, 667, 375, 667, 2, 667, 375),
	TURNING("iPhone 6 Plus", IPHONE_11, 414, 736, 414, 736, 3, 736, 414),
	TURNING("iPhone 7", IPHONE_11, 375, 667, 375, 667, 2, 667, 375),
	TURNING("iPhone 7 Plus", IPHONE_11, 414, 736, 414, 736, 3, 736, 414),
	TURNING("iPhone 8", IPHONE_11, 375, 667, 375, 667, 2, 667, 375),
	TURNING("iPhone 8 Plus", IPHONE_11, 414, 736, 414, 736, 3, 736, 414),
	TURNING("iPhone SE",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 10_3_1 like Mac OS X) AppleWebKit/603.1.30 (KHTML, like Gecko) Version/26.6 Mobile/14E304 Safari/602.1",
		320, 568, 320, 568, 2, 568, 320),
	TURNING("iPhone SE (3rd gen)",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/603.1.30 (KHTML, like Gecko) Version/26.6 Mobile/19E241 Safari/602.1",
		375, 667, 375, 667, 2, 667, 375),
	TURNING("iPhone X", IPHONE_11, 375, 812, 375, 812, 3, 812, 375),
	TURNING("iPhone XR", IPHONE("12_0"), 414, 896, 414, 896, 3, 896, 414),
	UPRIGHT("iPhone 11", IPHONE("12_2"), 414, 715, 414, 896, 2, 800, 364),
	UPRIGHT("iPhone 11 Pro", IPHONE("12_2"), 375, 635, 375, 812, 3, 724, 325),
	UPRIGHT("iPhone 11 Pro Max", IPHONE("12_2"), 414, 715, 414, 896, 3, 808, 364),
	UPRIGHT("iPhone 12", IPHONE("14_4"), 390, 664, 390, 844, 3, 750, 340),
	UPRIGHT("iPhone 12 Pro", IPHONE("14_4"), 390, 664, 390, 844, 3, 750, 340),
	UPRIGHT("iPhone 12 Pro Max", IPHONE("14_4"), 428, 746, 428, 926, 3, 832, 378),
	UPRIGHT("iPhone 12 Mini", IPHONE("14_4"), 375, 629, 375, 812, 3, 712, 325),
	UPRIGHT("iPhone 13", IPHONE("15_0"), 390, 664, 390, 844, 3, 750, 342),
	UPRIGHT("iPhone 13 Pro", IPHONE("15_0"), 390, 664, 390, 844, 3, 750, 342),
	UPRIGHT("iPhone 13 Pro Max", IPHONE("15_0"), 428, 746, 428, 926, 3, 832, 380),
	UPRIGHT("iPhone 13 Mini", IPHONE("15_0"), 375, 629, 375, 812, 3, 712, 327),
	UPRIGHT("iPhone 14", IPHONE("16_0"), 390, 664, 390, 844, 3, 750, 340),
	UPRIGHT("iPhone 14 Plus", IPHONE("16_0"), 428, 746, 428, 926, 3, 832, 378),
	UPRIGHT("iPhone 14 Pro", IPHONE("16_0"), 393, 660, 393, 852, 3, 734, 343),
	UPRIGHT("iPhone 14 Pro Max", IPHONE("16_0"), 430, 740, 430, 932, 3, 814, 380),
	UPRIGHT("iPhone 15", IPHONE("17_5"), 393, 659, 393, 852, 3, 734, 343),
	UPRIGHT("iPhone 15 Plus", IPHONE("17_5"), 430, 739, 430, 932, 3, 814, 380),
	UPRIGHT("iPhone 15 Pro", IPHONE("17_5"), 393, 659, 393, 852, 3, 734, 343),
	UPRIGHT("iPhone 15 Pro Max", IPHONE("17_5"), 430, 739, 430, 932, 3, 814, 380),
	UPRIGHT("iPhone 16", IPHONE("18_7"), 393, 659, 393, 852, 3, 734, 343),
	UPRIGHT("iPhone 16 Plus", IPHONE("18_7"), 430, 739, 430, 932, 3, 814, 380),
	UPRIGHT("iPhone 16 Pro", IPHONE("18_7"), 402, 681, 402, 874, 3, 756, 352),
	UPRIGHT("iPhone 16 Pro Max", IPHONE("18_7"), 440, 763, 440, 956, 3, 838, 390),
	UPRIGHT("iPhone 16e", IPHONE("18_7"), 390, 651, 390, 844, 3, 726, 340),
	UPRIGHT("iPhone 17", IPHONE("18_7"), 402, 681, 402, 874, 3, 756, 352),
	UPRIGHT("iPhone Air", IPHONE("18_7"), 420, 719, 420, 912, 3, 794, 370),
	UPRIGHT("iPhone 17 Pro", IPHONE("18_7"), 402, 681, 402, 874, 3, 756, 352),
	UPRIGHT("iPhone 17 Pro Max", IPHONE("18_7"), 440, 763, 440, 956, 3, 838, 390),
	UPRIGHT("iPhone 17e", IPHONE("18_7"), 390, 651, 390, 844, 3, 726, 340),
	TURNING("Kindle Fire HDX",
		"Mozilla/5.0 (Linux; U; en-us; KFAPWI Build/JDQ39) AppleWebKit/535.19 (KHTML, like Gecko) Silk/3.13 Safari/535.19 Silk-Accelerated=true",
		800, 1280, 800, 1280, 2, 1280, 800),
	TURNING("LG Optimus L70",
		"Mozilla/5.0 (Linux; U; Android 4.4.2; en-us; LGMS323 Build/KOT49I.MS32310c) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 " CHROME
		" Mobile Safari/537.36",
		384, 640, 384, 640, 1.25, 640, 384),
	TURNING("Microsoft Lumia 550",
		"Mozilla/5.0 (Windows Phone 10.0; Android 4.2.1; Microsoft; Lumia 550) AppleWebKit/537.36 (KHTML, like Gecko) " CHROME
		" Mobile Safari/537.36 Edge/14.14263",
		360, 640, 360, 640, 2, 640, 360),
	TURNING("Microsoft Lumia 950",
		"Mozilla/5.0 (Windows Phone 10.0; Android 4.2.1; Microsoft; Lumia 950) AppleWebKit/537.36 (KHTML, like Gecko) " CHROME
		" Mobile Safari/537.36 Edge/14.14263",
		360, 640, 360, 640, 4, 640, 360),
	TURNING("Nexus 10", DESKTOP("Linux; Android 6.0.1; Nexus 10 Build/MOB31T"), 800, 1280, 800, 1280, 2, 1280, 800),
	TURNING("Nexus 4", ANDROID("4.4.2; Nexus 4 Build/KOT49H"), 384, 640, 384, 640, 2, 640, 384),
	TURNING("Nexus 5", ANDROID("6.0; Nexus 5 Build/MRA58N"), 360, 640, 360, 640, 3, 640, 360),
	TURNING("Nexus 5X", ANDROID("8.0.0; Nexus 5X Build/OPR4.170623.006"), 412, 732, 412, 732, 2.625, 732, 412),
	TURNING("Nexus 6", ANDROID("7.1.1; Nexus 6 Build/N6F26U"), 412, 732, 412, 732, 3.5, 732, 412),
	TURNING("Nexus 6P", ANDROID("8.0.0; Nexus 6P Build/OPP3.170518.006"), 412, 732, 412, 732, 3.5, 732, 412),
	TURNING("Nexus 7", DESKTOP("Linux; Android 6.0.1; Nexus 7 Build/MOB30X"), 600, 960, 600, 960, 2, 960, 600),
	TURNING("Nokia Lumia 520",
		"Mozilla/5.0 (compatible; MSIE 10.0; Windows Phone 8.0; Trident/6.0; IEMobile/10.0; ARM; Touch; NOKIA; Lumia 520)",
		320, 533, 320, 533, 1.5, 533, 320),
	TURNING("Nokia N9",
		"Mozilla/5.0 (MeeGo; NokiaN9) AppleWebKit/534.13 (KHTML, like Gecko) NokiaBrowser/8.5.0 Mobile Safari/534.13", 480,
		854, 480, 854, 1, 854, 480),
	TURNING("Pixel 2", ANDROID("8.0; Pixel 2 Build/OPD3.170816.012"), 411, 731, 411, 731, 2.625, 731, 411),
	TURNING("Pixel 2 XL", ANDROID("8.0.0; Pixel 2 XL Build/OPD1.170816.004"), 411, 823, 411, 823, 3.5, 823, 411),
	TURNING("Pixel 3", ANDROID("9; Pixel 3 Build/PQ1A.181105.017.A1"), 393, 786, 393, 786, 2.75, 786, 393),
	TURNING("Pixel 4", ANDROID("10; Pixel 4"), 353, 745, 353, 745, 3, 745, 353),
	UPRIGHT("Pixel 4a (5G)", ANDROID("11; Pixel 4a (5G)"), 412, 765, 412, 892, 2.63, 840, 312),
	TURNING("Pixel 5", ANDROID("11; Pixel 5"), 393, 727, 393, 851, 2.75, 802, 293),
	TURNING("Pixel 6", ANDROID("12; Pixel 6"), 412, 839, 412, 915, 2.625, 863, 360),
	TURNING("Pixel 6 Pro", ANDROID("12; Pixel 6 Pro"), 412, 816, 412, 892, 3.5, 840, 360),
	TURNING("Pixel 6a", ANDROID("12; Pixel 6a"), 412, 839, 412, 915, 2.625, 863, 360),
	TURNING("Pixel 7", ANDROID("14; Pixel 7"), 412, 839, 412, 915, 2.625, 863, 360),
	TURNING("Pixel 7 Pro", ANDROID("13; Pixel 7 Pro"), 412, 816, 412, 892, 3.5, 840, 360),
	TURNING("Pixel 7a", ANDROID("13; Pixel 7a"), 412, 839, 412, 915, 2.625, 863, 360),
	TURNING("Pixel 8", ANDROID("14; Pixel 8"), 412, 839, 412, 915, 2.625, 863, 360),
	TURNING("Pixel 8 Pro", ANDROID("14; Pixel 8 Pro"), 448, 921, 448, 997, 3, 945, 396),
	TURNING("Pixel 8a", ANDROID("14; Pixel 8a"), 412, 839, 412, 915, 2.625, 863, 360),
	TURNING("Pixel 9", ANDROID("14; Pixel 9"), 360, 732, 360, 808, 3, 756, 308),
	TURNING("Pixel 9 Pro", ANDROID("14; Pixel 9 Pro"), 427, 876, 427, 952, 3, 900, 375),
	TURNING("Pixel 9 Pro XL", ANDROID("14; Pixel 9 Pro XL"), 448, 921, 448, 997, 3, 945, 396),
	TURNING("Pixel 10", ANDROID("16; Pixel 10"), 360, 732, 360, 808, 3, 756, 308),
	TURNING("Pixel 10 Pro", ANDROID("16; Pixel 10 Pro"), 427, 876, 427, 952, 3, 900, 375),
	TURNING("Pixel 10 Pro XL", ANDROID("16; Pixel 10 Pro XL"), 448, 921, 448, 997, 3, 945, 396),
	TURNING("Moto G4", ANDROID("7.0; Moto G (4)"), 360, 640, 360, 640, 3, 640, 360),
	{ "Desktop Chrome HiDPI", DESKTOP("Windows NT 10.0; Win64; x64"), 1280, 720, 1792, 1120, 2, false },
	{ "Desktop Edge HiDPI",
	  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) " CHROME " Safari/537.36 Edg/155.0.0.0",
	  1280, 720, 1792, 1120, 2, false },
	{ "Desktop Firefox HiDPI", FIREFOX, 1280, 720, 1792, 1120, 2, false },
	{ "Desktop Safari",
	  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.6 Safari/605.1.15",
	  1280, 720, 1792, 1120, 2, false },
	{ "Desktop Chrome", DESKTOP("Windows NT 10.0; Win64; x64"), 1280, 720, 1920, 1080, 1, false },
	{ "Desktop Edge",
	  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) " CHROME " Safari/537.36 Edg/155.0.0.0",
	  1280, 720, 1920, 1080, 1, false },
	{ "Desktop Firefox", FIREFOX, 1280, 720, 1920, 1080, 1, false },
	{},
};

const struct device *device_find(const char *name)
{
	for (const struct device *d = device_table; name && d->name; d++)
		if (strcasecmp(d->name, name) == 0)
			return d;
	return NULL;
}
